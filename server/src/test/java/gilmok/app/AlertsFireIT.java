package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Alerts that page, fired by their real fault: a real Prometheus scrapes a real server, whose disk,
 * database or process is harmed. Before that, under load, none fires. The rules are those of
 * ops/alerts, with each {@code for} and each window shortened by one factor. All of it takes five
 * minutes, so only a part runs without the whole budget ({@code ./gilmok test soak
 * -Dtest=AlertsFireIT}).
 */
@Tag("process")
@Tag("soak")
final class AlertsFireIT {
  private static final int FACTOR = 20;
  private static final Pattern PAGE =
      Pattern.compile("- alert: (\\w+)\n(?:(?! *- alert).*\n)*? *labels: \\{severity: page}");
  private static final Pattern SPAN = Pattern.compile("(for: |\\[)(\\d+)([mh])");

  /** Those that page and are not fired here, and why. */
  private static final Map<String, String> LEFT =
      Map.ofEntries(
          Map.entry("GilmokLedgerResidue", "a bug of the account, which no fault causes"),
          Map.entry("GilmokSinkLagsLong", "an hour in the metric itself, which is not shortened"),
          Map.entry(
              "GilmokSinkHeld", "a destination that refuses; a sink of files refuses nothing"),
          Map.entry("GilmokLogHangs", "a disk that neither answers nor fails"),
          Map.entry("GilmokReaderSkippedRecords", "a full log that deletes what a follower lacks"),
          Map.entry("GilmokPositionsLag", "its follower needs memory alone"),
          Map.entry("GilmokStatementsLag", "its follower waits where documents are written"),
          Map.entry("GilmokAuditLag", "its follower waits where documents are written"),
          Map.entry("GilmokMissionsOld", "a MongoDB that is away"),
          Map.entry("GilmokKeysOld", "a MongoDB that is away"),
          Map.entry("GilmokShardsUntold", "two nodes and a MongoDB that is away"),
          Map.entry("GilmokCertificateEndsNow", "a certificate that ends"),
          Map.entry("GilmokDiskFull", "a disk of its own"),
          Map.entry("GilmokHeapFull", "a heap that fills up and does not end the process"));

  /** What a machine fires rightly that runs other tests beside, and so answers slowly. */
  private static final Set<String> SLOW = Set.of("GilmokSlowFast", "GilmokVerySlowFast");

  private static final String KEY = "a-key-that-fires-alerts-0123456789";

  @TempDir Path folder;
  private Path data;
  private int port;
  private HarmedFleet fleet;
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
    fleet.close();
    if (watching != null) {
      watching.close();
    }
    if (running != null) {
      running.close();
    }
  }

  @Test
  void everyAlertThatPages_isFiredHere_orLeftForAReason() throws Exception {
    Path self = Repository.root().resolve("server/src/test/java/gilmok/app/AlertsFireIT.java");
    Set<String> named = new TreeSet<>();
    Pattern.compile("\"(Gilmok\\w+)\"")
        .matcher(Files.readString(self))
        .results()
        .forEach(name -> named.add(name.group(1)));
    Set<String> paging = new TreeSet<>();
    try (Stream<Path> files = Files.list(OpsFiles.path("alerts"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        PAGE.matcher(Files.readString(file)).results().forEach(one -> paging.add(one.group(1)));
      }
    }
    assertThat(paging).hasSizeGreaterThan(30).containsAll(LEFT.keySet()).isEqualTo(named);
  }

  @Test
  void serverIsKilled_andComesBackAgainAndAgain() throws Exception {
    serve();
    watch("127.0.0.1:" + port);
    settle();
    program().kill();
    awaitPages("GilmokAway");
    for (int i = 0; i < 2; i++) {
      program().close();
      serve();
      Program.await(() -> !prometheus().query("up == 1").isEmpty());
      program().kill();
    }
    program().close();
    serve();
    awaitPages("GilmokRestarts");
  }

  @Test
  void prometheusKnowsNoServer() throws Exception {
    serve();
    watch("");
    awaitPages("GilmokNoTarget");
  }

  @Test
  @EnabledIfSystemProperty(named = "gilmok.budget", matches = "all")
  void documentsAreLocked() throws Exception {
    serve();
    watch("127.0.0.1:" + port);
    String assigned = fleet.created("1");
    fleet.send("POST", "/v1/deliveries/" + assigned + "/accept", "");
    fleet.send("POST", "/v1/deliveries/" + assigned + "/assign", "{\"riderId\":\"r-1\"}");
    Thread.ofVirtual().start(fleet::load);
    settle();
    try (Connection sqlite = documents()) {
      sqlite.createStatement().execute("BEGIN IMMEDIATE");
      // This one moves a delivery, so the follower waits for the documents; the rest wait behind.
      fleet.send(
          "POST",
          "/v1/actions",
          "{\"riderId\":\"r-1\",\"at\":%d,\"type\":\"pickup\",\"deliveryId\":\"%s\"}"
              .formatted(System.currentTimeMillis(), assigned));
      awaitPages(
          "GilmokDocumentsAway",
          "GilmokDocumentsBusy",
          "GilmokBusy",
          "GilmokLoopFails",
          "GilmokActionsLag",
          "GilmokSlowFast",
          "GilmokVerySlowFast");
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "gilmok.budget", matches = "all")
  void deliveryIsDamaged() throws Exception {
    serve();
    watch("127.0.0.1:" + port);
    String id = fleet.created("1");
    settle();
    try (Connection sqlite = documents()) {
      damage(sqlite);
    }
    Program.await(
        () -> {
          fleet.send("GET", "/v1/deliveries/" + id, "");
          return prometheus().firing().contains("GilmokRequestsBroken");
        });
  }

  @Test
  @EnabledIfSystemProperty(named = "gilmok.budget", matches = "all")
  void logIsFull_asASinkIsPaused() throws Exception {
    serve("log.segment-bytes=9MiB", "log.bytes-max=64MiB", "sinks.enabled=files");
    watch("127.0.0.1:" + port);
    settle();
    assertThat(fleet.send("POST", "/v1/sinks/files/pause", "").statusCode()).isBetween(200, 299);
    Program.await(() -> fleet.send("POST", "/v1/logs", HarmedFleet.lines()).statusCode() == 503);
    Thread.ofVirtual().start(fleet::load);
    awaitPages("GilmokLogNearlyFull", "GilmokNoRoom", "GilmokNotReady");
  }

  @Test
  @EnabledIfSystemProperty(named = "gilmok.budget", matches = "all")
  void logIsFull_andTheSinkIsDetached() throws Exception {
    serve(
        "log.segment-bytes=9MiB",
        "log.bytes-max=64MiB",
        "log.when-full=detach",
        "sinks.enabled=files");
    watch("127.0.0.1:" + port);
    settle();
    assertThat(fleet.send("POST", "/v1/sinks/files/pause", "").statusCode()).isBetween(200, 299);
    Program.await(
        () -> {
          fleet.send("POST", "/v1/logs", HarmedFleet.lines());
          return prometheus().firing().contains("GilmokSinkSkippedRecords");
        });
  }

  @Test
  @EnabledIfSystemProperty(named = "gilmok.budget", matches = "all")
  void segmentIsDamagedUnderASink_thenGone() throws Exception {
    serve("log.segment-bytes=9MiB", "log.bytes-max=256MiB", "sinks.enabled=files");
    watch("127.0.0.1:" + port);
    settle();
    assertThat(fleet.send("POST", "/v1/sinks/files/pause", "").statusCode()).isBetween(200, 299);
    for (int i = 0; i < 12; i++) {
      assertThat(fleet.send("POST", "/v1/logs", HarmedFleet.lines()).statusCode()).isEqualTo(202);
    }
    Path oldest = segments().getFirst();
    try (RandomAccessFile file = new RandomAccessFile(oldest.toFile(), "rw")) {
      // What the paused sink has read ahead is before that.
      file.seek(6 << 20);
      file.write(new byte[1 << 16]);
    }
    assertThat(fleet.send("POST", "/v1/sinks/files/resume", "").statusCode()).isBetween(200, 299);
    awaitPages("GilmokSinkBroken");
    program().kill();
    program().close();
    Files.delete(oldest);
    serve("log.segment-bytes=9MiB", "log.bytes-max=256MiB", "sinks.enabled=files");
    awaitPages("GilmokSinkLostRecords");
  }

  @Test
  @EnabledIfSystemProperty(named = "gilmok.budget", matches = "all")
  void filesAreNearlyOut() throws Exception {
    List<String> under = List.of("sh", "-c", "ulimit -n 600 && exec \"$@\"", "sh");
    running = Program.startUnder(under, arguments().toArray(String[]::new));
    program().awaitReady();
    watch("127.0.0.1:" + port);
    settle();
    List<Socket> open = new ArrayList<>();
    try {
      while (open.size() < 400) {
        open.add(new Socket(InetAddress.getLoopbackAddress(), port));
      }
      awaitPages("GilmokFilesNearlyOut");
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  private Program program() {
    return Objects.requireNonNull(running);
  }

  private PrometheusProgram prometheus() {
    return Objects.requireNonNull(watching);
  }

  private List<String> arguments(String... settings) {
    List<String> arguments = Program.serving(data);
    arguments.replaceAll(word -> word.equals("--port=0") ? "--port=" + port : word);
    arguments.add("--set=admin-key=" + KEY);
    for (String setting : settings) {
      arguments.add("--set=" + setting);
    }
    return arguments;
  }

  private void serve(String... settings) throws Exception {
    running = Program.start(arguments(settings).toArray(String[]::new));
    program().awaitReady();
  }

  /** Starts Prometheus with the shortened rules. */
  private void watch(String target) throws Exception {
    Path rules = Files.createDirectories(folder.resolve("rules"));
    try (Stream<Path> files = Files.list(OpsFiles.path("alerts"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.writeString(rules.resolve(file.getFileName()), shortened(Files.readString(file)));
      }
    }
    Files.writeString(folder.resolve("key"), KEY);
    String text =
        PrometheusProgram.configuration(
            List.of(target), rules.resolve("*.yml"), folder.resolve("key"));
    Files.writeString(
        folder.resolve("prometheus.yml"), text.replace("targets: [\"\"]", "targets: []"));
    PrometheusProgram.promtool(folder, "check", "config", "prometheus.yml");
    watching = PrometheusProgram.start(folder);
    Program.await(() -> !prometheus().alerts().isEmpty());
  }

  private static String shortened(String rules) {
    Matcher span = SPAN.matcher(rules);
    return span.replaceAll(
        found -> {
          int seconds = Integer.parseInt(found.group(2)) * (found.group(3).equals("h") ? 3600 : 60);
          return Matcher.quoteReplacement(found.group(1) + seconds / FACTOR + "s");
        });
  }

  /** Waits until the server has been watched for longer than a page takes; none has fired. */
  private void settle() throws Exception {
    Program.await(() -> !prometheus().query("count_over_time(up[1m]) > 20").isEmpty());
    Set<String> pages = pages();
    pages.removeAll(SLOW);
    assertThat(pages).as("nothing is wrong yet").isEmpty();
  }

  /** Waits until all these fire. Each was silent before. */
  private void awaitPages(String... names) throws Exception {
    Set<String> fired = new TreeSet<>();
    try {
      Program.await(
          () -> {
            fired.addAll(pages());
            return fired.containsAll(Set.of(names));
          });
    } catch (AssertionError never) {
      throw new AssertionError("fired: " + fired + "\n" + program().logged(), never);
    }
  }

  private Set<String> pages() throws Exception {
    Set<String> pages = new TreeSet<>();
    String query = "ALERTS{alertstate=\"firing\",severity=\"page\"}";
    prometheus().query(query).forEach(alert -> pages.add(alert.at("/metric/alertname").asString()));
    return pages;
  }

  private List<Path> segments() throws Exception {
    try (Stream<Path> files = Files.walk(data)) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    }
  }

  private Connection documents() throws Exception {
    return DriverManager.getConnection("jdbc:sqlite:" + data.resolve("documents.db"));
  }

  private static void damage(Connection sqlite) throws Exception {
    sqlite.createStatement().execute("UPDATE deliveries SET document = x'7b'");
  }
}
