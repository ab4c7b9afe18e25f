package gilmok.lab.fleet;

import java.io.Console;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Shows progress: a line that is rewritten each second if there is a terminal, and permanent lines
 * now and then. It has a thread of its own. Thread-safe.
 */
final class FleetProgress implements AutoCloseable {
  private static final String CLEAR = "\r\u001b[K";
  private static final int STAYING_SECONDS = 30;

  private final CountDownLatch done = new CountDownLatch(1);
  private final PrintStream out;
  private final FleetRun run;
  private final Supplier<String> staying;
  private final Thread thread;

  /**
   * A progress display.
   *
   * @param quiet whether to show nothing
   * @param staying the permanent line of each half minute; empty for none
   */
  FleetProgress(PrintStream out, FleetRun run, boolean quiet, Supplier<String> staying) {
    this.out = out;
    this.run = run;
    this.staying = staying;
    this.thread = Thread.ofVirtual().name("progress").unstarted(this::show);
    if (quiet) {
      done.countDown();
    } else {
      thread.start();
    }
  }

  /** Prints a permanent line, above the rewritten one if there is one. */
  static void say(PrintStream out, String line) {
    out.println(isTerminal() ? CLEAR + line : line);
    out.flush();
  }

  @SuppressWarnings("SystemConsoleNull") // JDK 25 again returns null without a terminal
  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  private void show() {
    long lastNanos = System.nanoTime();
    long last = 0;
    boolean isTerminal = isTerminal();
    try {
      for (int seconds = 1; !done.await(1, TimeUnit.SECONDS); seconds++) {
        String line = seconds % STAYING_SECONDS == 0 ? staying.get() : "";
        if (!line.isEmpty()) {
          say(out, line);
        }
        long nanos = System.nanoTime();
        long settled = run.account().settled();
        double perSecond = (settled - last) * 1e9 / (nanos - lastNanos);
        if (isTerminal) {
          out.print(CLEAR + run.account().line(run.riders(), perSecond));
          out.flush();
        }
        last = settled;
        lastNanos = nanos;
      }
      if (isTerminal) {
        out.print(CLEAR);
        out.flush();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    done.countDown();
    try {
      thread.join();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
