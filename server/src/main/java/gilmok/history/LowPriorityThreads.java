package gilmok.history;

import gilmok.background.LowPriority;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;

/**
 * The few threads that read the past, so that phones do not feel it. What they are given takes
 * turns, piece by piece: who reads an answer slowly keeps none of them. Thread-safe.
 */
final class LowPriorityThreads implements AutoCloseable {
  private final ExecutorService threads;
  private final ProcessorShare share;

  /** So many; they are started when they are needed. */
  LowPriorityThreads(int count, ProcessorShare share) {
    this.share = share;
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

  /** Runs a piece, then rests as long as it has to. */
  private void paced(Runnable piece) {
    share.begin();
    piece.run();
    share.rest();
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
