package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus that scrapes a real server, which is harmed then. Before that, no alert that
 * pages fires. The rules are those of ops/alerts, with each {@code for} shortened by one factor and
 * each window by another.
 */
abstract class AlertRig {
  /** No window may be shorter than two scrapes. */
  private static final int WINDOW_FACTOR = 20;

  private static final int FOR_FACTOR = 40;
  private static final Pattern SPAN = Pattern.compile("(for: |\\[)(\\d+)([mh])");

  /** The largest threshold that is a time in the metric itself is a minute. */
  private static final int WAITS = 3;

  /** For longer than any page has to last: scrapes that were answered, one a second. */
  private static final String WATCHED = "sum_over_time(up[1m]) > 11";

  /** What a machine fires rightly that runs other tests beside, and so answers slowly. */
  private static final Set<String> SLOW = Set.of("GilmokSlowFast", "GilmokVerySlowFast");

  static final String KEY = "a-key-that-fires-alerts-0123456789";

  @TempDir Path folder;
  Path data;
  int port;
  HarmedFleet fleet;
  private @Nullable Program running;
  private @Nullable PrometheusProgram watching;

  @BeforeEach
  void need() throws Exception {
    PrometheusProgram.need();
    data = folder.resolve("data");
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    fleet = new HarmedFleet(port, KEY);
  }

  @AfterEach
  void stop() throws Exception {
    if (running != null) {
      running.close(); // before the fleet, which waits for its answers
    }
    fleet.close();
    if (watching != null) {
      watching.close();
    }
  }

  Program program() {
    return Objects.requireNonNull(running);
  }

  PrometheusProgram prometheus() {
    return Objects.requireNonNull(watching);
  }

  void serve(String... settings) throws Exception {
    serveUnder(List.of(), settings);
  }

  /** Starts the server by another program, which becomes it. */
  void serveUnder(List<String> under, String... settings) throws Exception {
    List<String> arguments = Program.serving(data);
    arguments.replaceAll(word -> word.equals("--port=0") ? "--port=" + port : word);
    arguments.add("--set=admin-key=" + KEY);
    // A process for the planners would only start later.
    arguments.add("--set=run-sheets.process=inside");
    for (String setting : settings) {
      arguments.add("--set=" + setting);
    }
    running = Program.startUnder(under, arguments.toArray(String[]::new));
    program().awaitReady();
  }

  /** Kills the server, and starts it anew. */
  void serveAgain(String... settings) throws Exception {
    program().kill();
    program().close();
    serve(settings);
  }

  /** Stops the server, and waits for its end. */
  void end() throws Exception {
    program().terminate();
    assertThat(program().end().code()).isZero();
    program().close();
  }

  /** Starts Prometheus with the shortened rules. */
  void watch() throws Exception {
    watch(List.of("127.0.0.1:" + port), UnaryOperator.identity());
  }

  /**
   * Starts Prometheus for these servers.
   *
   * @param more what else is changed in its configuration
   */
  void watch(List<String> targets, UnaryOperator<String> more) throws Exception {
    Path rules = Files.createDirectories(folder.resolve("rules"));
    try (Stream<Path> files = Files.list(OpsFiles.path("alerts"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.writeString(rules.resolve(file.getFileName()), shortened(Files.readString(file)));
      }
    }
    Files.writeString(folder.resolve("key"), KEY);
    String text =
        PrometheusProgram.configuration(targets, rules.resolve("*.yml"), folder.resolve("key"))
            .replace("targets: [\"\"]", "targets: []");
    Files.writeString(folder.resolve("prometheus.yml"), more.apply(text));
    watching = PrometheusProgram.start(folder);
    Program.await(() -> !prometheus().alerts().isEmpty());
  }

  private static String shortened(String rules) {
    Matcher span = SPAN.matcher(rules);
    return span.replaceAll(
        found -> {
          int seconds = Integer.parseInt(found.group(2)) * (found.group(3).equals("h") ? 3600 : 60);
          int factor = found.group(1).equals("[") ? WINDOW_FACTOR : FOR_FACTOR;
          return Matcher.quoteReplacement(found.group(1) + seconds / factor + "s");
        });
  }

  /** Waits until the server has been watched for longer than a page takes; none has fired. */
  void settle() throws Exception {
    Program.await(() -> !prometheus().query(WATCHED).isEmpty());
    Set<String> pages = pages();
    pages.removeAll(SLOW);
    assertThat(pages).as("nothing is wrong yet").isEmpty();
  }

  /** Waits until all these fire. Each was silent before. */
  void awaitPages(String... names) throws Exception {
    awaitPages(() -> {}, names);
  }

  /** Waits until all these fire, and goes on doing something meanwhile. */
  void awaitPages(Harm meanwhile, String... names) throws Exception {
    Set<String> fired = new TreeSet<>();
    Callable<Boolean> haveAll =
        () -> {
          meanwhile.go();
          fired.addAll(pages());
          return fired.containsAll(Set.of(names));
        };
    for (int i = 1; i <= WAITS; i++) {
      try {
        Program.await(haveAll);
        return;
      } catch (AssertionError never) {
        if (i == WAITS) {
          throw new AssertionError("fired: " + fired + "\n" + program().logged(), never);
        }
      }
    }
  }

  /** What is done to a server again and again. */
  @FunctionalInterface
  interface Harm {
    void go() throws Exception;
  }

  private Set<String> pages() throws Exception {
    Set<String> pages = new TreeSet<>();
    String query = "ALERTS{alertstate=\"firing\",severity=\"page\"}";
    prometheus().query(query).forEach(alert -> pages.add(alert.at("/metric/alertname").asString()));
    return pages;
  }

  /** Asks for something that must succeed; returns the answer's body. */
  String ask(String method, String path, String body) throws Exception {
    HttpResponse<String> answer = fleet.send(method, path, body);
    assertThat(answer.statusCode()).as(path + answer.body()).isBetween(200, 299);
    return answer.body();
  }

  /** The segments of the log, from the oldest. */
  List<Path> segments() throws Exception {
    try (Stream<Path> files = Files.walk(data)) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    }
  }

  /** Another program's connection to the documents in SQLite. */
  Connection documents() throws Exception {
    return DriverManager.getConnection("jdbc:sqlite:" + data.resolve("documents.db"));
  }

  /** Overwrites a part of a file with zeros. */
  static void damage(Path file, long at) throws Exception {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(at);
      bytes.write(new byte[1 << 16]);
    }
  }
}
