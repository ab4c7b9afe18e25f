package gilmok.lab.torture;

import gilmok.lab.ScratchFolder;
import gilmok.lab.Servers;
import gilmok.lab.Subject;
import gilmok.lab.start.LauncherOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The server under torture: a process that is started again and again on one port and one data
 * folder. Thread-safe: its lock must be held to start or end it.
 */
final class Node implements AutoCloseable {
  /** The longest time from a start to {@code /health/live}. */
  static final Duration LIVE_WAIT = Duration.ofSeconds(30);

  private static final List<String> SMALL =
      List.of(
          "-Xmx256m",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  private static final String STARTED = "Gilmok is ready: ";

  private final Program program;
  private final Path data;
  private final Path output;
  private final int port;
  private final List<String> settings;
  private final Supplier<Map<String, String>> environment;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Subject process;
  private volatile @Nullable Subject killed;
  private volatile long begunAtNanos;
  private volatile long liveAtNanos;
  private volatile long printedBefore;
  private volatile boolean hasStarted;

  /**
   * The program to run.
   *
   * @param options the Java options for {@code serve}
   */
  record Program(Path jar, List<String> options) {
    Program {
      options = List.copyOf(options);
    }

    /**
     * The program as the launcher of this checkout starts it, with the AOT cache beside the jar if
     * there is one.
     */
    static Program asLaunched(Path jar, Path work) throws IOException {
      Path root = Servers.ownJar().resolve("../../..").normalize();
      Path scratch = ScratchFolder.create(work, "launcher-");
      try {
        return new Program(jar, LauncherOptions.withCache(root, jar, scratch, "--no-warmup"));
      } finally {
        ScratchFolder.delete(scratch);
      }
    }
  }

  /**
   * A server that is not started yet.
   *
   * @param program the server's
   * @param output the file of its output
   * @param settings further arguments of {@code serve}
   * @param environment read at each start
   */
  Node(
      Program program,
      Path data,
      Path output,
      List<String> settings,
      Supplier<Map<String, String>> environment)
      throws IOException {
    this.program = program;
    this.data = data;
    this.output = output;
    this.settings = settings;
    this.environment = environment;
    this.port = Servers.freePort();
  }

  String url() {
    return "http://127.0.0.1:" + port;
  }

  int port() {
    return port;
  }

  Path data() {
    return data;
  }

  ReentrantLock lock() {
    return lock;
  }

  /** When its process was started. */
  long begunAtNanos() {
    return begunAtNanos;
  }

  /** When it last became live. */
  long liveAtNanos() {
    return liveAtNanos;
  }

  boolean alive() {
    Subject now = process;
    return now != null && now.alive();
  }

  /** Whether it reports ready. */
  boolean isReady() {
    Subject now = process;
    try {
      if (now != null) {
        now.awaitAnswer("/health/ready", status -> status == 200, Duration.ofMillis(1));
        return true;
      }
    } catch (IOException notYet) {
      return false;
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /**
   * Whether its last process, which may have ended since, had completed its start. It is live
   * before that, and ends if it finds a full disk meanwhile.
   */
  boolean hasStarted() throws IOException {
    if (!hasStarted) {
      hasStarted = outputFrom(printedBefore).contains(STARTED);
    }
    return hasStarted;
  }

  /** Whether its last process was ended by the rig. */
  boolean wasKilled() {
    Subject now = process;
    return now == null || now == killed;
  }

  /** The process id; 0 if there is none. */
  long pid() {
    Subject now = process;
    return now != null && now.alive() ? now.pid() : 0;
  }

  /**
   * Starts it and waits until it is live.
   *
   * @throws IOException when it ends, or is not live in time
   */
  void start() throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      if (alive()) {
        return;
      }
      kill();
      printedBefore = printed();
      hasStarted = false;
      begunAtNanos = System.nanoTime();
      Subject subject = launch();
      process = subject;
      try {
        subject.awaitAnswer("/health/live", status -> status == 200, LIVE_WAIT);
      } catch (IOException | InterruptedException failed) {
        subject.kill();
        throw failed;
      }
      liveAtNanos = System.nanoTime();
    } finally {
      lock.unlock();
    }
  }

  /** Starts it without waiting. */
  private Subject launch() throws IOException {
    List<String> arguments = new ArrayList<>(Servers.serve(port, data));
    arguments.addAll(settings);
    Map<String, String> all = new HashMap<>(environment.get());
    all.put("GILMOK_ADMIN_KEY", Servers.KEY);
    return Subject.start(
        "gilmok", Subject.java(program.options(), program.jar(), arguments), all, port, output);
  }

  /** Kills it like {@code kill -9}, even while another thread waits for it to be live. */
  void kill() throws InterruptedException {
    Subject now = process;
    if (now != null) {
      killed = now;
      now.kill();
    }
  }

  /** Sends SIGTERM and waits; returns the exit status. */
  int stop() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Subject now = process;
      process = null;
      return now == null ? 0 : now.stop();
    } finally {
      lock.unlock();
    }
  }

  /** The last lines of its output, over all its lives, without those of level INFO. */
  String lastOutput() throws IOException {
    List<String> lines =
        Files.readAllLines(output).stream().filter(line -> !line.contains(" INFO ")).toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 25), lines.size()));
  }

  /** The size of its output so far, in bytes, over all its lives. */
  long printed() throws IOException {
    return Files.exists(output) ? Files.size(output) : 0;
  }

  /** Its output from an offset on. */
  String outputFrom(long position) throws IOException {
    byte[] all = Files.readAllBytes(output);
    int from = (int) Math.min(position, all.length);
    return new String(all, from, all.length - from, StandardCharsets.UTF_8);
  }

  /** A command line of the server's program on its data folder. */
  List<String> command(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--data", data.toString()));
    return Subject.java(SMALL, program.jar(), all);
  }

  /** Kills it, even while another thread starts it. */
  @Override
  public void close() {
    Subject now = process;
    if (now != null) {
      try {
        now.kill();
      } catch (InterruptedException e) {
        now.close();
        Thread.currentThread().interrupt();
      }
    }
  }
}
