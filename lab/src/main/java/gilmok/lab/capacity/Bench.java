package gilmok.lab.capacity;

import gilmok.lab.GcLog;
import gilmok.lab.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;

/** Starts servers and load generators as processes of their own. Not thread-safe. */
final class Bench {
  static final String GILMOK = "gilmok";
  static final String BARE = "bare";
  static final String WEBFLUX = "webflux";

  private static final String KEY = "capacity-report-key-0123456789";
  private static final Duration READY_WAIT = Duration.ofMinutes(3);
  private static final Duration LOAD_SLACK = Duration.ofSeconds(60);
  private static final int CONNECTIONS = 256;
  private static final List<String> JVM =
      List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

  private final Setup setup;
  private final Path work;
  private final Consumer<String> progress;
  private int started;

  /**
   * What to run with.
   *
   * @param serverJar the server under test
   * @param labJar this laboratory
   * @param webfluxJar the baseline
   * @param heap the heap of the server under test and of the bare endpoint, as java writes it
   * @param serverArguments more arguments of {@code serve}
   * @param loadThreads event loops of the load generator
   * @param portFirst the first port to use
   */
  record Setup(
      Path serverJar,
      Path labJar,
      Path webfluxJar,
      String heap,
      List<String> serverArguments,
      int loadThreads,
      int portFirst) {}

  /** How one run loads a server. */
  record Load(int positions, double rate, int warmup, int seconds, boolean pinned) {}

  Bench(Setup setup, Path work, Consumer<String> progress) {
    this.setup = setup;
    this.work = work;
    this.progress = progress;
  }

  /** The heap of the server under test, as java writes it. */
  String heap() {
    return setup.heap;
  }

  /** Starts a server by its name and waits until it is ready. */
  Subject start(String name, boolean pinned, List<String> more)
      throws IOException, InterruptedException {
    int number = started++;
    int port = setup.portFirst + number;
    List<String> command = new ArrayList<>(pinned ? List.of("taskset", "-c", "0") : List.of());
    command.addAll(command(name, number, port, more));
    Subject subject =
        Subject.start(
            name,
            command,
            Map.of("GILMOK_ADMIN_KEY", KEY),
            port,
            work.resolve(name + "-" + number + ".out"));
    String path = name.equals(GILMOK) ? "/health/ready" : "/";
    subject.awaitAnswer(
        path, status -> status == 200 || (name.equals(WEBFLUX) && status == 404), READY_WAIT);
    progress.accept(name + " runs as " + subject.pid() + (pinned ? ", pinned" : ""));
    return subject;
  }

  private List<String> command(String name, int number, int port, List<String> more)
      throws IOException {
    List<String> options = new ArrayList<>(JVM);
    String listen = Integer.toString(port);
    if (name.equals(WEBFLUX)) {
      // Its own defaults, the heap's size too.
      return Subject.java(options, setup.webfluxJar, List.of("--server.port=" + listen));
    }
    options.addAll(
        List.of(
            "-Xmx" + setup.heap,
            "-XX:+UseG1GC",
            "-XX:+UseTransparentHugePages",
            "-XX:+ExitOnOutOfMemoryError"));
    options.add("-Xlog:gc:file=" + gcLog(name, port));
    if (name.equals(BARE)) {
      return Subject.java(options, setup.labJar, List.of("bare", "--port", listen));
    }
    Path data = work.resolve("data-" + number);
    Files.createDirectories(data);
    List<String> arguments =
        new ArrayList<>(
            List.of("serve", "--no-warmup", "--port", listen, "--data", data.toString()));
    arguments.addAll(setup.serverArguments);
    arguments.addAll(more);
    return Subject.java(options, setup.serverJar, arguments);
  }

  /** What a server's collections came to so far. */
  GcLog collections(Subject subject) throws IOException {
    return GcLog.read(gcLog(subject.name(), Integer.parseInt(subject.url().split(":")[2])));
  }

  private Path gcLog(String name, int port) {
    return work.resolve("gc-" + name + "-" + port + ".log");
  }

  /** Loads a server once. */
  Measurement load(Subject subject, Load load) throws IOException, InterruptedException {
    Path report = work.resolve("load.json");
    Files.deleteIfExists(report);
    List<String> command = new ArrayList<>(load.pinned ? List.of("taskset", "-c", "1") : List.of());
    List<String> options = new ArrayList<>(JVM);
    options.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC"));
    command.addAll(Subject.java(options, setup.labJar, arguments(subject, load, report)));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(work.resolve("load.out").toFile()))
            .start();
    try {
      long atMost = load.warmup + load.seconds + LOAD_SLACK.toSeconds();
      if (!process.waitFor(atMost, TimeUnit.SECONDS) || !Files.exists(report)) {
        throw new IOException(
            "the load on "
                + subject.name()
                + " failed: "
                + Files.readString(work.resolve("load.out"))
                + subject.lastOutput());
      }
    } finally {
      process.destroyForcibly();
    }
    Measurement measured =
        Measurement.of(subject.name(), JsonMapper.shared().readTree(Files.readString(report)));
    progress.accept(
        String.format(
            "%-8s %,9.0f requests/s %,11.0f positions/s  p99 %7.3f ms  server %.2f µs  load %.2f µs"
                + "  others %.2f cores%s",
            measured.subject(),
            measured.requestsPerSecond(),
            measured.positionsPerSecond(),
            measured.p99(),
            measured.serverMicros(),
            measured.loadMicros(),
            measured.otherCores(),
            measured.valid() ? "" : "  VOID " + measured.errors()));
    return measured;
  }

  private List<String> arguments(Subject subject, Load load, Path report) {
    boolean webflux = subject.name().equals(WEBFLUX);
    List<String> arguments = new ArrayList<>(List.of("load", "--quiet"));
    arguments.addAll(List.of("--url", subject.url()));
    arguments.addAll(List.of("--route", webflux && load.positions > 1 ? "traces/list" : "traces"));
    arguments.addAll(List.of("--key", KEY));
    arguments.addAll(List.of("--connections", Integer.toString(CONNECTIONS)));
    arguments.addAll(List.of("--threads", Integer.toString(setup.loadThreads)));
    arguments.addAll(List.of("--positions", Integer.toString(load.positions)));
    arguments.addAll(List.of("--rate", Double.toString(load.rate)));
    arguments.addAll(List.of("--warmup", Integer.toString(load.warmup)));
    arguments.addAll(List.of("--seconds", Integer.toString(load.seconds)));
    arguments.addAll(List.of("--server-pid", Long.toString(subject.pid())));
    arguments.addAll(List.of("--json", report.toString()));
    return arguments;
  }
}
