package gilmok.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Starts servers to be measured, each as a process of its own on a free port of loopback.
 * Thread-safe.
 *
 * @param labJar this laboratory's jar; the server's is beside it
 * @param work the folder for data folders and output
 */
public record Servers(Path labJar, Path work) {
  /** The admin key of every server started here. */
  public static final String KEY = "lab-report-key-0123456789";

  private static final Duration READY_WAIT = Duration.ofMinutes(2);

  private static final List<String> ELSEWHERE = List.of("nice", "-n", "10");
  private static final Duration DATABASE_WAIT = Duration.ofMinutes(5);
  private static final Duration RUN_WAIT = Duration.ofMinutes(10);

  /** The Java options that the libraries of the server and of the laboratory need. */
  public static final List<String> JVM =
      List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

  /** The options of a small process that runs beside the measured one. */
  static final List<String> SMALL_JVM = join(JVM, List.of("-Xmx256m", "-XX:+UseSerialGC"));

  /** The jar that contains this class. */
  public static Path ownJar() throws IOException {
    Path jar = Path.of(System.getProperty("java.class.path"));
    if (!Files.isRegularFile(jar)) {
      throw new IOException("this runs from gilmok-lab-all.jar only");
    }
    return jar.toAbsolutePath();
  }

  /** The root of the checkout that contains the jar. */
  public static Path root() throws IOException {
    return ownJar().resolve("../../..").normalize();
  }

  /** A port that is free now. */
  public static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Starts the server of this build with a new data folder and a log that is deleted early. */
  public Subject gilmok(String heap, List<String> more) throws IOException, InterruptedException {
    int port = freePort();
    List<String> arguments = join(List.of("--set", "log.retention=10s"), more);
    return gilmok(heap, work.resolve("data-" + port), port, arguments, Map.of());
  }

  /**
   * Starts the server of this build and waits until it is ready.
   *
   * @param heap in Java's notation
   * @param more further arguments of {@code serve}
   */
  public Subject gilmok(
      String heap, Path data, int port, List<String> more, Map<String, String> environment)
      throws IOException, InterruptedException {
    List<String> arguments = join(serve(port, Files.createDirectories(data)), more);
    Map<String, String> all = new HashMap<>(environment);
    all.put("GILMOK_ADMIN_KEY", KEY);
    Path jar = labJar.resolve("../../../server/target/gilmok-all.jar").normalize();
    Path output = work.resolve("gilmok-" + port + ".out");
    Subject subject =
        Subject.start("gilmok", Subject.java(serving(heap), jar, arguments), all, port, output);
    try {
      subject.awaitAnswer("/health/ready", status -> status == 200, READY_WAIT);
    } catch (IOException | InterruptedException failed) {
      subject.close();
      throw failed;
    }
    return subject;
  }

  /** The arguments of a server without warm-up: the load of the measurement warms it up. */
  public static List<String> serve(int port, Path data) {
    List<String> arguments = new ArrayList<>(List.of("serve", "--no-warmup"));
    arguments.addAll(List.of("--port", Integer.toString(port), "--data", data.toString()));
    arguments.addAll(List.of("--set", "http.host=127.0.0.1"));
    return arguments;
  }

  /**
   * Starts a command of this laboratory that listens on a port, as a process of its own.
   *
   * @param name its name in reports
   */
  public Subject lab(String name, int port, List<String> arguments)
      throws IOException, InterruptedException {
    return lab(name, port, arguments, List.of());
  }

  /**
   * Like {@link #lab}, with a lower priority: it stands for a process on another machine, so the
   * measured process gets the processor first.
   */
  public Subject labElsewhere(String name, int port, List<String> arguments)
      throws IOException, InterruptedException {
    return lab(name, port, arguments, ELSEWHERE);
  }

  /**
   * Like {@link #lab}, with the Java options of this build's server, for a fair comparison.
   *
   * @param heap in Java's notation
   */
  public Subject labServing(String name, int port, String heap, List<String> arguments)
      throws IOException, InterruptedException {
    Path output = work.resolve(name + "-" + port + ".out");
    Subject subject =
        Subject.start(name, Subject.java(serving(heap), labJar, arguments), Map.of(), port, output);
    subject.awaitPort(READY_WAIT);
    return subject;
  }

  private static List<String> serving(String heap) {
    return join(JVM, List.of("-Xmx" + heap, "-XX:+UseG1GC", "-XX:+UseTransparentHugePages"));
  }

  private Subject lab(String name, int port, List<String> arguments, List<String> before)
      throws IOException, InterruptedException {
    Subject subject =
        Subject.start(
            name,
            join(before, Subject.java(SMALL_JVM, labJar, arguments)),
            Map.of(),
            port,
            work.resolve(name + "-" + port + ".out"));
    subject.awaitPort(READY_WAIT);
    return subject;
  }

  /**
   * Runs a command of this laboratory to its end, as a process of its own.
   *
   * @return the last line it printed, as JSON
   */
  public JsonNode run(String command, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> java =
        Subject.java(
            join(JVM, List.of("-Xmx512m", "-XX:+UseG1GC")),
            labJar,
            join(List.of(command), arguments));
    Path output = work.resolve(command + ".out");
    try (Subject process = Subject.start(command, java, Map.of(), 1, output)) {
      if (process.awaitEnd(RUN_WAIT) != 0) {
        throw new IOException(command + " failed:\n" + process.lastOutput());
      }
      return JsonMapper.shared().readTree(process.lastOutput().lines().toList().getLast());
    }
  }

  /** Starts a Redis without persistence, which stands for one on another machine. */
  public Subject redis(String program) throws IOException, InterruptedException {
    return redis(program, freePort());
  }

  /** The same on a given port, for example that of an earlier Redis. */
  public Subject redis(String program, int port) throws IOException, InterruptedException {
    Subject subject =
        Subject.start(
            "redis",
            join(
                ELSEWHERE,
                List.of(
                    program,
                    "--port",
                    Integer.toString(port),
                    "--bind",
                    "127.0.0.1",
                    "--save",
                    "",
                    "--appendonly",
                    "no",
                    "--dir",
                    work.toString())),
            Map.of(),
            port,
            work.resolve("redis.out"));
    subject.awaitPort(READY_WAIT);
    return subject;
  }

  /**
   * Starts SecantusDB, which stands for MongoDB in the tests, with its files in the work folder.
   *
   * @param root the root of the repository
   */
  public Subject secantus(Path root) throws IOException, InterruptedException {
    int port = freePort();
    Path files = Files.createDirectories(work.resolve("database"));
    List<String> command =
        List.of(root.resolve(".ci/secantus").toString(), Integer.toString(port), files.toString());
    Subject subject =
        Subject.start("secantus", command, Map.of(), port, work.resolve("secantus.out"));
    subject.awaitPort(DATABASE_WAIT);
    return subject;
  }

  /**
   * Starts what answers as a database once did, so that its slowness is not measured.
   *
   * @param databasePort of the database that is asked what was never asked before
   */
  public Subject mongoReplay(int databasePort) throws IOException, InterruptedException {
    int port = freePort();
    return lab(
        "mongo-replay",
        port,
        List.of(
            "mongo-replay",
            "--port",
            Integer.toString(port),
            "--database",
            Integer.toString(databasePort)));
  }

  private static List<String> join(List<String> some, List<String> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  /** Reads the metrics of this build's server. */
  public static Metrics metrics(Subject gilmok) throws IOException, InterruptedException {
    try (LabClient client = new LabClient(gilmok)) {
      return new Metrics(client.get("/metrics").body().lines().toList());
    }
  }
}
