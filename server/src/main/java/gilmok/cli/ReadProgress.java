package gilmok.cli;

import java.io.PrintWriter;

/** Shows on a terminal how many records have been read, a few times a second. Not thread-safe. */
final class ReadProgress implements AutoCloseable {
  private static final int LOOK_EVERY = 1 << 16;
  private static final long SHOW_NANOS = 200_000_000;

  private final PrintWriter err;
  private final boolean terminal = Terminal.isThere();
  private long shownNanos = System.nanoTime();

  ReadProgress(PrintWriter err) {
    this.err = err;
  }

  void read(long records) {
    if (!terminal || records % LOOK_EVERY != 0) {
      return;
    }
    long now = System.nanoTime();
    if (now - shownNanos > SHOW_NANOS) {
      shownNanos = now;
      err.printf("\r%,d records", records);
      err.flush();
    }
  }

  @Override
  public void close() {
    if (terminal) {
      err.print("\r\u001b[K");
      err.flush();
    }
  }
}
