package gilmok.history;

import gilmok.background.LowPriority;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;

/**
 * The few threads that read the past, so that phones do not feel it. What they are given takes
 * turns, piece by piece: who reads an answer slowly keeps none of them. Thread-safe.
 */
final class LowPriorityThreads implements AutoCloseable {
  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

  /** A piece that takes so many times its processor time has waited for it, or for a disk. */
  private static final double BUSY = 1.25;

  /** It then rests so many times as long as it worked. */
  private static final long RESTS = 9;

  private static final long REST_NANOS_MAX = 1_000_000_000;

  private final ExecutorService threads;

  /** So many; they are started when they are needed. */
  LowPriorityThreads(int count) {
    threads = Executors.newFixedThreadPool(count, LowPriority.threads("history"));
  }

  /** Runs a piece of work on one of them, and waits for it, however long it takes. */
  <T> T run(Callable<T> work) throws IOException, InterruptedException {
    Future<T> running = submit(work);
    boolean isHurried = false;
    while (true) {
      try {
        return running.get();
      } catch (InterruptedException hurried) {
        // It still has the question's files: whoever closes them must wait for it.
        isHurried = true;
      } catch (ExecutionException failed) {
        throw thrown(Objects.requireNonNull(failed.getCause()));
      } finally {
        if (isHurried && running.isDone()) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  private <T> Future<T> submit(Callable<T> work) throws InterruptedException {
    FutureTask<T> piece = new FutureTask<>(work);
    try {
      threads.execute(() -> paced(piece));
      return piece;
    } catch (RejectedExecutionException stopped) {
      throw new InterruptedException();
    }
  }

  /**
   * Runs a piece; then, if it had to wait for its processor, rests. A low priority alone still
   * takes a tenth of a full processor, and what is read has to be sent, too.
   */
  private static void paced(Runnable piece) {
    long began = System.nanoTime();
    long processor = CLOCK.getCurrentThreadCpuTime();
    piece.run();
    long worked = CLOCK.getCurrentThreadCpuTime() - processor;
    if (System.nanoTime() - began > BUSY * worked) {
      LockSupport.parkNanos(Math.min(REST_NANOS_MAX, RESTS * worked));
    }
  }

  private static IOException thrown(Throwable cause) throws InterruptedException {
    return switch (cause) {
      case IOException outage -> outage;
      case InterruptedException stopped -> throw stopped;
      case RuntimeException bug -> throw bug;
      case Error error -> throw error;
      default -> new IOException(cause);
    };
  }

  /** Takes nothing more. What it has ends by itself: it asks again and again whether to stop. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
