package gilmok.cache;

import gilmok.background.BackgroundThread;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * What a cache takes from outside: clock, random numbers, threads and pauses. Thread-safe.
 *
 * @param nanos a monotonic clock, as {@link System#nanoTime}
 * @param chance random numbers from 0, inclusive, to 1, exclusive
 * @param loaders runs each load on a thread that may block: at most {@code loadsMax} loads, and as
 *     many short tasks that delete keys in Redis
 * @param rest pauses the calling thread
 */
public record CacheEnvironment(
    LongSupplier nanos, DoubleSupplier chance, Executor loaders, Rest rest) {
  /** A pause of the calling thread. */
  @FunctionalInterface
  public interface Rest {
    /** Blocks for about {@code nanos} nanoseconds. */
    void nanos(long nanos) throws InterruptedException;
  }

  /**
   * The real environment: system clock, virtual threads, parking.
   *
   * @param name the name of the threads
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
