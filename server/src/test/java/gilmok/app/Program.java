package gilmok.app;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The program in a process of its own, as a user starts it. */
public final class Program implements AutoCloseable {
  private static final Pattern URL = Pattern.compile("is ready: (\\S+)");
  private static final long PATIENCE_SECONDS = 60;
  private static final long PAUSE_NANOS_MIN = 5_000_000;
  private static final long PAUSE_NANOS_MAX = 20_000_000;

  /**
   * Restores the default action of SIGHUP: under nohup the tests ignore it, and programs inherit
   * that. Empty where {@code env} cannot do so.
   */
  private static final List<String> HEARING = hearing();

  private final Process process;
  private final Path folder;
  private final Path out;
  private final Path err;

  /** How the program ended: its exit code, standard output and standard error. */
  public record Ended(int code, String out, String err) {
    /**
     * The lines for the user on standard error. Lines of the log are left out: they begin with a
     * time.
     */
    public List<String> said() {
      return err.lines().filter(line -> !line.matches("\\d{4}-\\d\\d-.*")).toList();
    }
  }

  private Program(List<String> under, List<String> arguments, Map<String, String> environment)
      throws IOException {
    folder = Files.createTempDirectory("gilmok");
    out = folder.resolve("out");
    err = folder.resolve("err");
    List<String> command = new ArrayList<>(HEARING);
    command.addAll(under);
    // SQLite's driver unpacks its library there, and prints what goes wrong when it and another
    // process remove the same old one.
    String unpacked = "-Dorg.sqlite.tmpdir=" + folder;
    command.addAll(ProgramClasses.command("-Xmx256m", "-XX:TieredStopAtLevel=1", unpacked));
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GILMOK_"));
    // It takes a second of a processor, and what a killed program leaves stays in memory.
    builder.environment().put("GILMOK_OPERATE_FLIGHT_RECORDER", "false");
    builder.environment().putAll(environment);
    process = builder.start();
  }

  public static Program start(String... arguments) throws IOException {
    return startIn(Map.of(), arguments);
  }

  /** Starts the program with these environment variables, and no other {@code GILMOK_*}. */
  public static Program startIn(Map<String, String> environment, String... arguments)
      throws IOException {
    return new Program(List.of(), List.of(arguments), environment);
  }

  /** Starts the program by another one, which gets the rest as its arguments and becomes it. */
  static Program startUnder(List<String> under, String... arguments) throws IOException {
    return new Program(under, List.of(arguments), Map.of());
  }

  /** Runs the program to its end, as {@link #end} does. */
  public static Ended run(String... arguments) throws Exception {
    try (Program program = start(arguments)) {
      return program.end();
    }
  }

  /** Starts a server on a free port of loopback, and waits until it is ready. */
  static Program serve(Path data, String... more) throws Exception {
    List<String> arguments = serving(data);
    arguments.addAll(List.of(more));
    Program program = new Program(List.of(), arguments, Map.of());
    program.awaitReady();
    return program;
  }

  /**
   * Waits until the server has said that it is ready, or has ended.
   *
   * @throws AssertionError after a minute
   */
  public void awaitReady() throws Exception {
    await(() -> URL.matcher(Files.readString(out)).find() || !process.isAlive());
  }

  /** The arguments of a server on a free port of loopback, without a warm-up; a list to add to. */
  public static List<String> serving(Path data) {
    return new ArrayList<>(
        List.of("serve", "--port=0", "--data=" + data, "--set=http.host=127.0.0.1", "--no-warmup"));
  }

  public URI uri(String path) throws IOException {
    Matcher url = URL.matcher(Files.readString(out));
    if (!url.find()) {
      throw new IllegalStateException("not ready: " + Files.readString(err));
    }
    return URI.create(url.group(1) + path);
  }

  private static List<String> hearing() {
    List<String> env = List.of("env", "--default-signal=HUP");
    List<String> tried = new ArrayList<>(env);
    tried.add("true");
    try {
      return new ProcessBuilder(tried).start().waitFor() == 0 ? env : List.of();
    } catch (IOException none) {
      return List.of();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  /** What the program has logged so far, on standard error. */
  public String logged() throws IOException {
    return Files.readString(err);
  }

  /** Sends SIGHUP. */
  public void hangUp() throws Exception {
    signal(process, "HUP");
  }

  /** Suspends it where it is, as a machine that hangs (SIGSTOP), until {@link #resume}. */
  void suspend() throws Exception {
    signal(process, "STOP");
  }

  /** Has it go on (SIGCONT). */
  void resume() throws Exception {
    signal(process, "CONT");
  }

  /** Sends a process that signal. */
  static void signal(Process process, String name) throws Exception {
    String kill = "kill -" + name + " " + process.pid();
    if (new ProcessBuilder("sh", "-c", kill).inheritIO().start().waitFor() != 0) {
      throw new AssertionError(kill + " failed");
    }
  }

  /** Where a path leads for the program, if it was started with mounts of its own. */
  Path rootOf(Path path) {
    return Path.of("/proc/" + process.pid() + "/root" + path.toAbsolutePath());
  }

  /** Sends SIGTERM. */
  public void terminate() {
    process.destroy();
  }

  /** Sends SIGKILL, and waits until the process is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /**
   * Waits for the program's end.
   *
   * @throws AssertionError if it still runs after a minute
   */
  public Ended end() throws Exception {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("still running: " + Files.readString(err));
    }
    return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  /**
   * Waits until a condition holds. It is looked at more seldom from time to time, as a look may be
   * a request that costs more than what it waits for.
   *
   * @throws AssertionError if it does not hold within a minute
   */
  public static void await(Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    long pauseNanos = PAUSE_NANOS_MIN;
    while (!condition.call()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("waited in vain");
      }
      LockSupport.parkNanos(pauseNanos);
      pauseNanos = Math.min(PAUSE_NANOS_MAX, pauseNanos + pauseNanos / 5);
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    ProgramClasses.remove(folder);
  }
}
