package gilmok.lab.start;

import gilmok.lab.ScratchFolder;
import gilmok.lab.Servers;
import gilmok.lab.Shell;
import gilmok.lab.Subject;
import gilmok.lab.load.Requests;
import gilmok.warmup.LoopbackClient;
import gilmok.warmup.ScriptClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts this build's server again and again, each time with a fresh data folder. */
final class Starter {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration ENDING = Duration.ofMinutes(3);

  /**
   * Frequent polls give an exact time to live; the server is not disturbed, as it does not listen
   * before.
   */
  private static final long LIVE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Setup setup;

  /**
   * The programs and options of the starts.
   *
   * @param labJar this laboratory's jar, which contains the server too
   * @param work the folder for data folders and output
   * @param options Java options
   * @param aot the AOT cache; null to make one when it is first needed
   * @param settings settings of all servers, as key=value
   * @param callSeconds how long {@link MethodCalls} runs, where a way has it
   */
  record Setup(
      Path serverJar,
      Path labJar,
      Path work,
      List<String> options,
      @Nullable Path aot,
      List<String> settings,
      double callSeconds) {
    Setup {
      options = List.copyOf(options);
      settings = List.copyOf(settings);
    }
  }

  /**
   * The parameters of one start.
   *
   * @param arguments arguments of {@code serve}
   * @param hasKeys whether to make the keys for {@code first.http}
   * @param readyMillis the interval of polls for readiness; each is a request
   * @param protocol how requests are sent; where it has TLS, the server shows the setup's
   *     certificate and is polled on the operators' port, so that no poll warms the first handshake
   *     up
   * @param group the control group that it runs in; null for none
   */
  record Wish(
      WarmUpWay way,
      List<String> arguments,
      boolean hasKeys,
      long readyMillis,
      Protocol protocol,
      @Nullable CpuGroup group) {
    Wish {
      arguments = List.copyOf(arguments);
    }

    static Wish of(WarmUpWay way) {
      return new Wish(way, List.of(), false, 25, Protocol.PLAIN, null);
    }

    Wish with(List<String> more) {
      List<String> all = new ArrayList<>(arguments);
      all.addAll(more);
      return new Wish(way, all, hasKeys, readyMillis, protocol, group);
    }

    Wish withKeys() {
      return new Wish(way, arguments, true, readyMillis, protocol, group);
    }

    Wish askedEvery(long millis) {
      return new Wish(way, arguments, hasKeys, millis, protocol, group);
    }

    Wish within(@Nullable CpuGroup other) {
      return new Wish(way, arguments, hasKeys, readyMillis, protocol, other);
    }

    Wish by(Protocol other) {
      return new Wish(way, arguments, hasKeys, readyMillis, other, group);
    }
  }

  private final Set<String> warned = new HashSet<>();
  private @Nullable Path aot;

  Starter(Setup setup) {
    this.setup = setup;
    this.aot = setup.aot();
  }

  /**
   * A server that is ready.
   *
   * @param live seconds from the start of its process to the first 200 of {@code /health/live}
   * @param ready seconds from the start of its process to the first 200 of {@code /health/ready}
   * @param values the values of placeholders
   * @param connector opens connections to it, by the protocol that was wished for
   */
  record Started(
      Subject subject,
      Path data,
      double live,
      double ready,
      Map<String, String> values,
      ScriptClient.Connector connector)
      implements AutoCloseable {
    int port() {
      return subject.port();
    }

    /** Kills it; how it stops is measured elsewhere. */
    @Override
    public void close() throws IOException {
      try {
        subject.kill();
      } catch (InterruptedException e) {
        subject.close();
        Thread.currentThread().interrupt();
      }
      ScratchFolder.delete(data);
    }
  }

  /** Starts a server and waits until it is ready. */
  Started start(Wish wish) throws IOException, InterruptedException {
    Path data = ScratchFolder.create(setup.work(), "data-");
    Map<String, String> values = wish.hasKeys() ? Placeholders.in(data) : Map.of();
    List<String> options = new ArrayList<>(setup.options());
    if (wish.way().hasAot()) {
      options.add("-XX:AOTCache=" + aot());
    }
    int port = Servers.freePort();
    List<String> command = new ArrayList<>();
    CpuGroup group = wish.group();
    if (group != null) {
      command.addAll(group.joining());
    }
    List<String> arguments = arguments(port, data, wish);
    int polled = port;
    ScriptClient.Connector connector = _ -> new LoopbackClient(port);
    if (wish.protocol().isSecured()) {
      LabCertificate certificate = LabCertificate.in(setup.work());
      polled = Servers.freePort();
      arguments.addAll(certificate.settings());
      arguments.addAll(List.of("--set", "operate.port=" + polled));
      connector = _ -> wish.protocol().connect(port, certificate);
    }
    command.addAll(command(wish.way(), options, arguments));
    Path output = setup.work().resolve("server.out");
    Files.deleteIfExists(output);
    long began = System.nanoTime();
    Subject subject =
        Subject.start("gilmok", command, Map.of("GILMOK_ADMIN_KEY", Servers.KEY), port, output);
    try {
      double live = seconds(began, await(subject, polled, "/health/live", LIVE_NANOS));
      long every = TimeUnit.MILLISECONDS.toNanos(wish.readyMillis());
      double ready = seconds(began, await(subject, polled, "/health/ready", every));
      warnOfAot(output);
      return new Started(subject, data, live, ready, values, connector);
    } catch (IOException | InterruptedException | RuntimeException failed) {
      subject.close();
      ScratchFolder.delete(data);
      throw failed;
    }
  }

  /**
   * What {@code gilmok doctor} says in a control group.
   *
   * @param topic the beginning of the lines to return
   */
  List<String> doctor(CpuGroup group, String topic) throws IOException, InterruptedException {
    Path data = ScratchFolder.create(setup.work(), "doctor-");
    List<String> command = new ArrayList<>(group.joining());
    List<String> arguments = List.of("doctor", "--data", data.toString());
    command.addAll(Subject.java(setup.options(), setup.serverJar(), arguments));
    try {
      return Shell.run(command).text().lines().filter(line -> line.startsWith(topic)).toList();
    } finally {
      ScratchFolder.delete(data);
    }
  }

  /**
   * Warns if Java rejects the AOT cache, which would otherwise be measured as one without effect.
   */
  private void warnOfAot(Path output) throws IOException {
    try (Stream<String> lines = Files.lines(output)) {
      lines
          .filter(line -> line.startsWith("[") && line.contains("][aot"))
          .filter(line -> warned.add(line.substring(line.indexOf("][") + 1)))
          .forEach(line -> System.err.println("java says of the AOT cache: " + line));
    }
  }

  private List<String> arguments(int port, Path data, Wish wish) {
    List<String> arguments = new ArrayList<>(Servers.serve(port, data));
    if (wish.way().isWarmed()) {
      arguments.remove("--no-warmup");
    }
    for (String setting : setup.settings()) {
      arguments.addAll(List.of("--set", setting));
    }
    arguments.addAll(wish.arguments());
    if (wish.hasKeys()) { // first.http sends the same wrong keys again and again
      arguments.addAll(List.of("--set", "http.wrong-keys-rate=0"));
    }
    return arguments;
  }

  private List<String> command(WarmUpWay way, List<String> options, List<String> arguments) {
    if (!way.hasCalls()) {
      return Subject.java(options, setup.serverJar(), arguments);
    }
    List<String> calls =
        List.of(
            "-cp",
            setup.labJar().toString(),
            MethodCalls.class.getName(),
            Double.toString(setup.callSeconds()));
    return Subject.java(options, calls, arguments);
  }

  /** The time of the first response 200, in nanoseconds of {@link System#nanoTime}. */
  private static long await(Subject subject, int port, String path, long everyNanos)
      throws IOException, InterruptedException {
    byte[] request = Requests.get(path, "");
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    LoopbackClient client = null;
    try {
      while (System.nanoTime() - deadline < 0) {
        if (!subject.alive()) {
          throw new IOException("the server ended:\n" + subject.lastOutput());
        }
        try {
          if (client == null || client.isOver()) {
            client = again(client, port);
          }
          if (client.exchange(request) == 200) {
            return System.nanoTime();
          }
        } catch (IOException notYet) {
          client = gone(client);
        }
        LockSupport.parkNanos(everyNanos);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    } finally {
      client = gone(client);
    }
    throw new IOException("no 200 of " + path + " in " + PATIENCE + ":\n" + subject.lastOutput());
  }

  private static LoopbackClient again(@Nullable LoopbackClient client, int port)
      throws IOException {
    if (client != null) {
      client.close();
    }
    return new LoopbackClient(port);
  }

  private static @Nullable LoopbackClient gone(@Nullable LoopbackClient client) throws IOException {
    if (client != null) {
      client.close();
    }
    return null;
  }

  private static double seconds(long from, long to) {
    return (to - from) / 1e9;
  }

  /** The given AOT cache, or a new one from a server that has warmed up once. */
  private Path aot() throws IOException, InterruptedException {
    Path made = aot;
    if (made == null) {
      made = train(setup.work().resolve("gilmok.aot"));
      aot = made;
    }
    return made;
  }

  private Path train(Path file) throws IOException, InterruptedException {
    System.err.println("making an AOT cache by a run of the server that warms up once");
    Path data = ScratchFolder.create(setup.work(), "data-");
    List<String> options = new ArrayList<>(setup.options());
    options.add("-XX:AOTCacheOutput=" + file);
    int port = Servers.freePort();
    List<String> arguments = arguments(port, data, Wish.of(WarmUpWay.HTTP));
    Subject subject =
        Subject.start(
            "training",
            Subject.java(options, setup.serverJar(), arguments),
            Map.of("GILMOK_ADMIN_KEY", Servers.KEY),
            port,
            setup.work().resolve("training.out"));
    try (subject) {
      subject.awaitAnswer("/health/ready", status -> status == 200, PATIENCE);
      // The server writes the cache at its end, which takes longer than a stop may.
      ProcessHandle.of(subject.pid()).ifPresent(ProcessHandle::destroy);
      subject.awaitEnd(ENDING);
      if (!Files.exists(file)) {
        throw new IOException("no AOT cache was made:\n" + subject.lastOutput());
      }
    } finally {
      ScratchFolder.delete(data);
    }
    return file;
  }
}
