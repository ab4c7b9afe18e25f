package gilmok.lab.capacity;

import gilmok.lab.GcLog;
import gilmok.lab.LoadProcess;
import gilmok.lab.Servers;
import gilmok.lab.Subject;
import gilmok.lab.load.LoadReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Starts servers and load generators as processes of their own. Not thread-safe. */
final class Bench {
  static final String GILMOK = "gilmok";
  static final String BARE = "bare";
  static final String WEBFLUX = "webflux";

  private static final Duration READY_WAIT = Duration.ofMinutes(3);
  private static final int CONNECTIONS = 256;

  private final Setup setup;
  private final Path work;
  private final Consumer<String> progress;
  private int started;

  /**
   * The programs and options of the runs.
   *
   * @param serverJar the server under test
   * @param labJar this laboratory
   * @param webfluxJar the baseline
   * @param heap the heap of the server under test and of the bare endpoint, in Java's notation
   * @param serverArguments further arguments of {@code serve}
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

  /** The load of one run. */
  record Load(int positions, double rate, double warmup, double seconds, boolean pinned) {}

  Bench(Setup setup, Path work, Consumer<String> progress) {
    this.setup = setup;
    this.work = work;
    this.progress = progress;
  }

  /** The heap of the server under test, in Java's notation. */
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
            Map.of("GILMOK_ADMIN_KEY", Servers.KEY),
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
    List<String> options = new ArrayList<>(Servers.JVM);
    String listen = Integer.toString(port);
    if (name.equals(WEBFLUX)) {
      // With its own defaults, including the heap size.
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
    Path data = Files.createDirectories(work.resolve("data-" + number));
    List<String> arguments = Servers.serve(port, data);
    arguments.addAll(setup.serverArguments);
    arguments.addAll(more);
    return Subject.java(options, setup.serverJar, arguments);
  }

  /** The garbage collections of a server so far. */
  GcLog collections(Subject subject) throws IOException {
    return GcLog.read(gcLog(subject.name(), subject.port()));
  }

  private Path gcLog(String name, int port) {
    return work.resolve("gc-" + name + "-" + port + ".log");
  }

  /** Loads a server once. */
  Measurement load(Subject subject, Load load) throws IOException, InterruptedException {
    boolean isList = subject.name().equals(WEBFLUX) && load.positions > 1;
    LoadProcess.Plan plan =
        new LoadProcess.Plan(
            load.rate,
            load.positions,
            load.warmup,
            load.seconds,
            List.of(
                "--route",
                isList ? "traces/list" : "traces",
                "--connections",
                Integer.toString(CONNECTIONS),
                "--threads",
                Integer.toString(setup.loadThreads)));
    List<String> before = load.pinned ? List.of("taskset", "-c", "1") : List.of();
    LoadReport report = LoadProcess.runAnyway(subject, work, plan, before);
    progress.accept(
        String.format(
            "%-8s %,9.0f requests/s %,11.0f positions/s  p99 %7.3f ms  server %.2f µs  load %.2f µs"
                + "  others %.2f cores%s",
            subject.name(),
            report.requestsPerSecond(),
            report.positionsPerSecond(),
            report.p99(),
            report.serverMicrosPerRequest(),
            report.loadMicrosPerRequest(),
            report.otherCores(),
            report.valid() ? "" : "  VOID " + report.errorKinds()));
    return new Measurement(subject.name(), report);
  }
}
