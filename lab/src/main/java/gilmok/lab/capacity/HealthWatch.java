package gilmok.lab.capacity;

import gilmok.lab.LabClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;

/**
 * Asks {@code /health/live} each fifth of a second on a connection of its own, as a kubelet does,
 * which restarts a server that does not answer within a second. Thread-safe.
 */
final class HealthWatch implements AutoCloseable {
  private static final Duration EVERY = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final double MILLIS = 1e6;

  private final URI url;
  private final Thread thread;
  private long asked;
  private long failed;
  private double mostMillis;

  /**
   * How it was answered.
   *
   * @param asked how often it was asked
   * @param failed how often the answer was not 200, or took over 5 s
   * @param mostMillis the longest answer
   */
  record Health(long asked, long failed, double mostMillis) {
    String text() {
      return String.format(
          Locale.ROOT, "asked %,d times, %,d failed, longest %.0f ms", asked, failed, mostMillis);
    }
  }

  /** A watch that has begun. */
  HealthWatch(URI url) {
    this.url = url;
    thread = Thread.ofPlatform().daemon().name("capacity-health").start(this::run);
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        ask();
        Thread.sleep(EVERY);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private void ask() throws InterruptedException {
    long began = System.nanoTime();
    boolean isGood = false;
    try (LabClient client = new LabClient(url.toString(), "", PATIENCE)) {
      isGood = client.get("/health/live").status() == 200;
    } catch (IOException notAnswered) {
      // It counts as failed.
    }
    note(isGood, (System.nanoTime() - began) / MILLIS);
  }

  private synchronized void note(boolean isGood, double millis) {
    asked++;
    failed += isGood ? 0 : 1;
    mostMillis = Math.max(mostMillis, millis);
  }

  /** How it was answered so far. */
  synchronized Health health() {
    return new Health(asked, failed, mostMillis);
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
