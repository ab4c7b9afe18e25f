package gilmok.cli;

import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A line on a terminal that is rewritten a few times a second; does nothing without a terminal. Has
 * a thread of its own; safe for all threads.
 */
public final class ProgressLine implements AutoCloseable {
  private static final long EVERY_MILLIS = 200;
  private static final String CLEAR = "\r\u001b[K";

  private final CountDownLatch done = new CountDownLatch(1);
  private final PrintWriter err;
  private final Supplier<String> line;
  private final boolean terminal;
  private final Thread thread;

  /** Shows what {@code line} says, which it asks for on its own thread, until it is closed. */
  public ProgressLine(PrintWriter err, Supplier<String> line) {
    this.err = err;
    this.line = line;
    this.terminal = Terminal.isThere();
    this.thread = Thread.ofVirtual().name("progress").unstarted(this::show);
    if (terminal) {
      thread.start();
    }
  }

  /** Prints a line that stays. */
  public void notice(String line) {
    err.print((terminal ? CLEAR : "") + "gilmok: " + line + System.lineSeparator());
    err.flush();
  }

  @Override
  public void close() {
    done.countDown();
    if (!terminal) {
      return;
    }
    try {
      thread.join();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  private void show() {
    try {
      while (!done.await(EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
        // Back to the line's beginning, so that a line of the log that comes meanwhile replaces it.
        err.print(CLEAR + line.get() + "\r");
        err.flush();
      }
      err.print(CLEAR);
      err.flush();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }
}
