package gilmok.sinks.file;

import java.util.concurrent.locks.LockSupport;

/**
 * Rests for as long as was worked since the last rest, so that the work takes half of a processor
 * at most.
 *
 * <p>Not thread-safe.
 */
final class HalfPace implements HourCompaction.Pace {
  private static final long LEAST_NANOS = 1_000_000;
  private static final long MOST_NANOS = 100_000_000;

  private long sinceNanos = System.nanoTime();

  @Override
  public void rest() throws InterruptedException {
    long worked = System.nanoTime() - sinceNanos;
    if (worked >= LEAST_NANOS) {
      LockSupport.parkNanos(this, Math.min(worked, MOST_NANOS));
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      sinceNanos = System.nanoTime();
    }
  }
}
