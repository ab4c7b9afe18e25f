package gilmok.runtime;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The machine's clock, without its leaps: a time that is suddenly another is taken over only when
 * it has stayed so for a while. A clock that was wrong for some seconds would else have leases,
 * pauses and times of arrival be wrong for as long as the leap was wide. In between, time goes on
 * as the monotonic clock does. What drifts, or is slewed, is followed at once.
 *
 * <p>Thread-safe. A leap that two threads see at the same time is the same leap.
 */
public final class SteadyClock implements InstantSource {
  /** So long a leap has to last. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** What differs by less is no leap. */
  private static final long LEAP_MILLIS = 500;

  private static final long DRIFT_MILLIS = 20;
  private static final long NANOS = 1_000_000;

  private final InstantSource machine;
  private final LongSupplier nanos;
  private volatile long offset;
  private volatile @Nullable Leap leap;

  /** A difference that was seen first at that time of the monotonic clock, in milliseconds. */
  private record Leap(long width, long since) {}

  /**
   * Begins with the machine's time.
   *
   * @param nanos a clock that only goes forward, as {@link System#nanoTime}
   */
  public SteadyClock(InstantSource machine, LongSupplier nanos) {
    this.machine = machine;
    this.nanos = nanos;
    offset = machine.millis() - nanos.getAsLong() / NANOS;
  }

  @Override
  public long millis() {
    long steady = nanos.getAsLong() / NANOS;
    long now = machine.millis();
    long width = now - steady - offset;
    if (Math.abs(width) <= LEAP_MILLIS) {
      if (Math.abs(width) > DRIFT_MILLIS) {
        offset = now - steady;
      }
      if (leap != null) {
        leap = null;
      }
      return now;
    }
    return leapt(steady, width);
  }

  private long leapt(long steady, long width) {
    Leap known = leap;
    if (known == null || Math.abs(width - known.width) > LEAP_MILLIS) {
      leap = new Leap(width, steady);
    } else if (steady - known.since >= PATIENCE.toMillis()) {
      leap = null;
      offset = machine.millis() - steady;
    }
    return steady + offset;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }
}
