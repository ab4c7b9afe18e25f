package gilmok.runtime;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The machine's clock without its leaps: a sudden change of time is followed only after it has
 * lasted for a while. Otherwise a clock that was wrong for some seconds would make leases, pauses
 * and times of arrival wrong by the width of the leap. Until then, time goes on as the monotonic
 * clock does. Drift and slewing are followed at once.
 *
 * <p>Thread-safe. A leap that two threads see at the same time counts once.
 */
public final class SteadyClock implements InstantSource {
  /** How long a leap has to last. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** A smaller difference is not a leap. */
  private static final long LEAP_MILLIS = 500;

  private static final long DRIFT_MILLIS = 20;
  private static final long NANOS = 1_000_000;

  private final InstantSource machine;
  private final LongSupplier nanos;
  private volatile long offset;
  private volatile @Nullable Leap leap;

  /** A leap: its width, and when the monotonic clock first showed it, both in milliseconds. */
  private record Leap(long width, long since) {}

  /**
   * Starts at the machine's time.
   *
   * @param nanos a monotonic clock, such as {@link System#nanoTime}
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
