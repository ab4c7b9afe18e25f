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
 * A server process under test on this machine. What it prints goes to a file. It ends with {@link
 * #close}, {@link #kill}, or with the laboratory itself. From any thread.
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
    } catch (IllegalStateException ending) { // nobody would end it any more
      process.destroyForcibly();
      throw ending;
    }
  }

  /**
   * Starts a process; does not wait for it.
   *
   * @param name what it is called in reports
   * @param command what to run
   * @param environment added to this process's own
   * @param port where it will listen on 127.0.0.1
   * @param output where what it prints is appended
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

  /** A java command with this process's own java. */
  public static List<String> java(List<String> options, Path jar, List<String> arguments) {
    return java(options, List.of("-jar", jar.toString()), arguments);
  }

  /**
   * The same of a program that is no jar.
   *
   * @param program its class path and class
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
   * Waits until a GET is answered as it should be.
   *
   * @throws IOException when it ends, or does not answer so in time
   */
  public void awaitAnswer(String path, IntPredicate status, Duration atMost)
      throws IOException, InterruptedException {
    try (LabClient client = new LabClient(url(), "", ANSWER_WAIT)) {
      await(atMost, () -> status.test(client.get(path).status()));
    }
  }

  /**
   * Waits until something listens on its port.
   *
   * @throws IOException when it ends, or does not listen in time
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

  /** A look whether it is ready. */
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
        // It does not listen, or not yet to this.
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

  /** Where it listens. */
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

  /** The most memory it has held at once, in bytes; 0 when it has ended. */
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
   * @throws IOException when it does not in time
   */
  public int awaitEnd(Duration atMost) throws IOException, InterruptedException {
    if (!process.waitFor(atMost.toSeconds(), TimeUnit.SECONDS)) {
      throw new IOException(name + " did not end in " + atMost + ":\n" + lastOutput());
    }
    return process.exitValue();
  }

  /** Ends it at once, as {@code kill -9} does, and waits until it is gone. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(STOP_WAIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException(name + " outlives kill -9");
    }
    forget();
  }

  /**
   * Asks it to end, and ends it when it does not.
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
      // The laboratory is already ending; its hooks are running.
    }
  }
}
