package gilmok.lab.sinks;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Samples the lag of a server's sinks five times a second during a load, and keeps the worst of
 * each. Its thread ends with {@link #close}.
 */
final class LagWatch implements AutoCloseable {
  private static final int EVERY_MILLIS = 200;

  private final LedgerClient account;
  private final Map<String, Double> worst = new TreeMap<>();
  private final Thread thread;
  private volatile boolean isOver;
  private volatile boolean isPaused = true;

  LagWatch(LedgerClient account) {
    this.account = account;
    thread = Thread.ofVirtual().name("lag").start(this::watch);
  }

  /** Pauses or resumes sampling. */
  void pause(boolean paused) {
    isPaused = paused;
  }

  /** The worst lag so far, in seconds, by sink. */
  Map<String, Double> worst() {
    synchronized (worst) {
      return new TreeMap<>(worst);
    }
  }

  private void watch() {
    try {
      while (!isOver) {
        if (!isPaused) {
          look();
        }
        TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
      }
    } catch (InterruptedException e) {
      // The watch was closed.
    }
  }

  private void look() throws InterruptedException {
    try {
      for (LedgerClient.Sink sink : account.sinks().values()) {
        synchronized (worst) {
          worst.merge(sink.name(), sink.lagSeconds(), Math::max);
        }
      }
    } catch (IOException e) {
      System.err.println("the sinks could not be asked: " + e.getMessage());
    }
  }

  @Override
  public void close() {
    isOver = true;
    thread.interrupt();
  }
}
