package gilmok.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

/**
 * A server process under test on this machine. Its output goes to a file. It ends with {@link
 * #close}, {@link #kill}, or with the laboratory. Thread-safe.
 */
public final class Subject implements AutoCloseable {
  private static final Duration STOP_WAIT = Duration.ofSeconds(30);
  private static final Duration ANSWER_WAIT = Duration.ofSeconds(5);
  private static final int SHOWN_LINES = 50;

  private final String name;
  private final Process process;
  private final int port;
  private final Path output;
  private final Thread reaper;

  private Subject(String name, Process process, int port, Path output) {
    this.name = name;
    this.process = process;
    this.port = port;
    this.output = output;
    this.reaper = new Thread(process::destroyForcibly, "reaper of " + name);
    try {
      Runtime.getRuntime().addShutdownHook(reaper);
    } catch (IllegalStateException ending) { // nothing would end it any more
      process.destroyForcibly();
      throw ending;
    }
  }

  /**
   * Starts a process, without waiting for it.
   *
   * @param name its name in reports
   * @param command the command line
   * @param environment added to this process' environment
   * @param port the port of 127.0.0.1 on which it will listen
   * @param output the file to which its output is appended
   */
  public static Subject start(
      String name, List<String> command, Map<String, String> environment, int port, Path output)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
    builder.environment().putAll(environment);
    return new Subject(name, builder.start(), port, output);
  }

  /** A command line that uses the Java of this process. */
  public static List<String> java(List<String> options, Path jar, List<String> arguments) {
    return java(options, List.of("-jar", jar.toString()), arguments);
  }

  /**
   * The same for a program that is no jar.
   *
   * @param program its class path and main class
   */
  public static List<String> java(
      List<String> options, List<String> program, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(options);
    command.addAll(program);
    command.addAll(arguments);
    return command;
  }

  /**
   * Waits until a GET returns an accepted status.
   *
   * @throws IOException when the process ends, or the time is over
   */
  public void awaitAnswer(String path, IntPredicate status, Duration atMost)
      throws IOException, InterruptedException {
    try (LabClient client = new LabClient(url(), "", ANSWER_WAIT)) {
      await(atMost, () -> status.test(client.get(path).status()));
    }
  }

  /**
   * Waits until its port accepts connections.
   *
   * @throws IOException when the process ends, or the time is over
   */
  public void awaitPort(Duration atMost) throws IOException, InterruptedException {
    await(
        atMost,
        () -> {
          try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
          }
        });
  }

  /** Checks whether it is ready. */
  @FunctionalInterface
  private interface Look {
    boolean isReady() throws IOException, InterruptedException;
  }

  private void await(Duration atMost, Look look) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (System.nanoTime() < deadline) {
      if (!process.isAlive()) {
        throw new IOException(name + " ended with " + process.exitValue() + ":\n" + lastOutput());
      }
      try {
        if (look.isReady()) {
          return;
        }
      } catch (IOException notYet) {
        // It does not listen yet, or not for this request.
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    throw new IOException(name + " was not ready in " + atMost + ":\n" + lastOutput());
  }

  public String name() {
    return name;
  }

  public String url() {
    return "http://127.0.0.1:" + port;
  }

  /** The port it listens on. */
  public int port() {
    return port;
  }

  public long pid() {
    return process.pid();
  }

  public boolean alive() {
    return process.isAlive();
  }

  /** The last lines it printed. */
  public String lastOutput() throws IOException {
    List<String> lines = Files.readAllLines(output);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
  }

  /** Its peak resident memory, in bytes; 0 after it has ended. */
  public long residentBytesMax() throws IOException {
    Path status = Path.of("/proc", Long.toString(pid()), "status");
    if (!alive() || !Files.exists(status)) {
      return 0;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmHWM:")) {
        return 1024 * Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    return 0;
  }

  /**
   * Waits until it ends by itself.
   *
   * @return its exit status
   * @throws IOException when it does not end in time
   */
  public int awaitEnd(Duration atMost) throws IOException, InterruptedException {
    if (!process.waitFor(atMost.toSeconds(), TimeUnit.SECONDS)) {
      throw new IOException(name + " did not end in " + atMost + ":\n" + lastOutput());
    }
    return process.exitValue();
  }

  /** Kills it like {@code kill -9}, and waits until it is gone. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(STOP_WAIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException(name + " outlives kill -9");
    }
    forget();
  }

  /**
   * Sends SIGTERM, and kills it if it does not end.
   *
   * @return its exit status
   */
  public int stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_WAIT.toSeconds(), TimeUnit.SECONDS)) {
      kill();
    }
    forget();
    return process.exitValue();
  }

  @Override
  public void close() {
    try {
      stop();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private void forget() {
    try {
      Runtime.getRuntime().removeShutdownHook(reaper);
    } catch (IllegalStateException e) {
      // The laboratory is already ending, and its shutdown hooks are running.
    }
  }
}
