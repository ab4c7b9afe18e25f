package gilmok.runtime;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A stack of what was opened so far. Everything in it is closed, the last first, whatever goes
 * wrong. Not thread-safe.
 */
public final class CloseStack {
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  /** Adds something to close, and returns it. */
  public <T extends AutoCloseable> T add(T one) {
    opened.push(one);
    return one;
  }

  /** Closes everything; exceptions of closing are added to the failure as suppressed ones. */
  public void close(Throwable failure) {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (InterruptedException hurried) {
        Thread.currentThread().interrupt();
        failure.addSuppressed(hurried);
      } catch (Exception | Error beside) {
        failure.addSuppressed(beside);
      }
    }
  }

  /**
   * Closes everything.
   *
   * @throws IOException when closing some of it failed; the others are closed all the same
   */
  public void closeAll() throws IOException {
    IOException failure = new IOException("not everything could be closed in order");
    close(failure);
    Throwable[] all = failure.getSuppressed();
    if (all.length == 1 && all[0] instanceof IOException only) {
      throw only;
    }
    if (all.length > 0) {
      throw failure;
    }
  }
}
