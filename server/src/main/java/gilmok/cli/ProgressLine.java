package gilmok.cli;

import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A line on a terminal that is rewritten a few times a second; does nothing without a terminal. Has
 * a thread of its own; safe for all threads.
 */
final class ProgressLine implements AutoCloseable {
  private static final long EVERY_MILLIS = 200;
  private static final String CLEAR = "\r\u001b[K";

  private final CountDownLatch done = new CountDownLatch(1);
  private final long start = System.nanoTime();
  private final PrintWriter err;
  private final ReplayTally tally;
  private final Recording recording;
  private final boolean terminal;
  private final Thread thread;

  ProgressLine(PrintWriter err, ReplayTally tally, Recording recording) {
    this.err = err;
    this.tally = tally;
    this.recording = recording;
    this.terminal = Terminal.isThere();
    this.thread = Thread.ofVirtual().name("progress").unstarted(this::show);
    if (terminal) {
      thread.start();
    }
  }

  /** Prints a line that stays. */
  void notice(String line) {
    err.print((terminal ? CLEAR : "") + "gilmok: " + line + System.lineSeparator());
    err.flush();
  }

  /** The seconds since its start. */
  double seconds() {
    return (System.nanoTime() - start) / 1e9;
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
        err.print(CLEAR + tally.line(seconds(), recording.progress()));
        err.flush();
      }
      err.print(CLEAR);
      err.flush();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }
}
