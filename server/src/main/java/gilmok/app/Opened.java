package gilmok.app;

import java.util.ArrayDeque;
import java.util.Deque;

/** What a start has opened so far: if it fails, all of it is closed again, the last first. */
final class Opened {
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  /** Takes something to close; returns it. */
  <T extends AutoCloseable> T add(T one) {
    opened.push(one);
    return one;
  }

  /** Closes everything; what goes wrong with that is told beside the failure. */
  void close(Throwable failure) {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (InterruptedException hurried) {
        Thread.currentThread().interrupt();
        failure.addSuppressed(hurried);
      } catch (Exception beside) {
        failure.addSuppressed(beside);
      }
    }
  }
}
