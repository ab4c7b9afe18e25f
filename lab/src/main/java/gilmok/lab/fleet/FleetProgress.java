package gilmok.lab.fleet;

import java.io.Console;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One line on a terminal that is written anew each second; nothing where there is no terminal. Has
 * a thread of its own; safe for all threads.
 */
final class FleetProgress implements AutoCloseable {
  private static final String CLEAR = "\r\u001b[K";

  private final CountDownLatch done = new CountDownLatch(1);
  private final PrintStream out;
  private final FleetRun run;
  private final Thread thread;

  /**
   * A progress line.
   *
   * @param quiet whether it is not wanted
   */
  FleetProgress(PrintStream out, FleetRun run, boolean quiet) {
    this.out = out;
    this.run = run;
    this.thread = Thread.ofVirtual().name("progress").unstarted(this::show);
    if (!quiet && isTerminal()) {
      thread.start();
    } else {
      done.countDown();
    }
  }

  @SuppressWarnings("SystemConsoleNull") // JDK 25 gives null again where there is no terminal
  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  private void show() {
    long lastNanos = System.nanoTime();
    long last = 0;
    try {
      while (!done.await(1, TimeUnit.SECONDS)) {
        long nanos = System.nanoTime();
        long settled = run.account().settled();
        double perSecond = (settled - last) * 1e9 / (nanos - lastNanos);
        out.print(CLEAR + run.account().line(run.riders(), perSecond));
        out.flush();
        last = settled;
        lastNanos = nanos;
      }
      out.print(CLEAR);
      out.flush();
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
