package gilmok.cache;

import gilmok.background.BackgroundThread;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * What a cache takes from outside: time, chance, threads and rests. Thread-safe.
 *
 * @param nanos a clock that only goes forward, as {@link System#nanoTime}
 * @param chance numbers from 0, inclusive, to 1, exclusive
 * @param loaders runs each load on a thread that may block; at most {@code loadsMax} of them, and
 *     as many short ones that tell Redis what is to be forgotten
 * @param rest waits so many nanoseconds
 */
public record CacheEnvironment(
    LongSupplier nanos, DoubleSupplier chance, Executor loaders, Rest rest) {
  /** Waits. */
  @FunctionalInterface
  public interface Rest {
    /** Waits so many nanoseconds. */
    void nanos(long nanos) throws InterruptedException;
  }

  /**
   * The machine's own.
   *
   * @param name of the threads
   */
  public static CacheEnvironment real(String name) {
    ThreadFactory threads = BackgroundThread.virtuals(name);
    return new CacheEnvironment(
        System::nanoTime,
        () -> ThreadLocalRandom.current().nextDouble(),
        load -> threads.newThread(load).start(),
        CacheEnvironment::park);
  }

  private static void park(long nanos) throws InterruptedException {
    LockSupport.parkNanos(nanos);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }
}
