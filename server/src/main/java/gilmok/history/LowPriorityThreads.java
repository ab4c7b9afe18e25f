package gilmok.history;

import gilmok.background.LowPriority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  /** Linux' own account of a thread: how long it ran, how long it waited for a processor, in ns. */
  private static final Path ACCOUNT = Path.of("/proc/thread-self/schedstat");

  /** A processor is busy when a thread waits for it for more than this part of its work. */
  private static final int BUSY = 4;

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
    Account before = Account.read();
    piece.run();
    Account after = Account.read();
    long worked = after.worked - before.worked;
    if (after.waited - before.waited > worked / BUSY) {
      LockSupport.parkNanos(Math.min(REST_NANOS_MAX, RESTS * worked));
    }
  }

  /** What the present thread has had so far; a wait for a disk is none for a processor. */
  private record Account(long worked, long waited) {
    static Account read() {
      try {
        String[] words = Files.readString(ACCOUNT).split(" ", 3);
        return new Account(Long.parseLong(words[0]), Long.parseLong(words[1]));
      } catch (IOException | NumberFormatException notHere) {
        return new Account(0, 0); // another system: a low priority must do
      }
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
