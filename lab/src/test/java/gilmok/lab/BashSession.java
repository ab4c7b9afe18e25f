package gilmok.lab;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A shell into which a page's lines are pasted, one after the other. A line that takes longer than
 * it may is killed with all that it started: reading what a program prints cannot be interrupted,
 * so a test would hang with it.
 */
final class BashSession implements AutoCloseable {
  private static final String MARK = "--- ended: ";

  /**
   * What became of a line.
   *
   * @param status as the shell says it, "0" for success; what was the matter, if it was killed
   * @param said all that was printed, errors too
   */
  record Ended(String status, String said) {}

  private final Duration patience;
  private final Process bash;
  private final BufferedWriter in;
  private final BufferedReader out;
  private final ScheduledThreadPoolExecutor watchdog = new ScheduledThreadPoolExecutor(1);

  /**
   * A new one.
   *
   * @param shell starts bash, which reads its lines from standard input
   * @param patience for each line
   */
  BashSession(ProcessBuilder shell, Duration patience) throws IOException {
    this.patience = patience;
    bash = shell.redirectErrorStream(true).start();
    in = bash.outputWriter();
    out = bash.inputReader();
  }

  /** Has the shell take a line that prints nothing and is not waited for. */
  void set(String line) throws IOException {
    in.write(line + "\n");
  }

  /** Runs one or several lines, without standard input, until they end. */
  Ended run(String text) throws IOException {
    in.write("{ " + text + "\n} </dev/null; ended=$?; echo; echo \"" + MARK + "$ended\"\n");
    in.flush();
    CompletableFuture<Void> late = new CompletableFuture<>();
    ScheduledFuture<?> watch =
        watchdog.schedule(
            () -> {
              late.complete(null);
              kill();
            },
            patience.toMillis(),
            TimeUnit.MILLISECONDS);
    StringBuilder said = new StringBuilder();
    String line = out.readLine();
    while (line != null && !line.startsWith(MARK)) {
      said.append(line).append('\n');
      line = out.readLine();
    }
    watch.cancel(false);
    String status = line == null ? "the shell ended" : line.substring(MARK.length());
    return new Ended(late.isDone() ? "killed after " + patience : status, said.toString());
  }

  private void kill() {
    Stream.concat(bash.descendants(), Stream.of(bash.toHandle()))
        .forEach(ProcessHandle::destroyForcibly);
  }

  @Override
  public void close() {
    watchdog.shutdownNow();
    kill();
  }
}
