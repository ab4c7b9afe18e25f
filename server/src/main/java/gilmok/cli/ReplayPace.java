package gilmok.cli;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * When each position of a recording is due, in nanoseconds from the first one: the time between two
 * fixes divided by the speed. A gap is cut to a longest wait; where the recording jumps back (the
 * next rider's trip), there is no wait. Depends only on the fix times so far.
 *
 * <p>Not thread-safe: owned by the reading thread.
 */
final class ReplayPace {
  static final long UNKNOWN = Long.MIN_VALUE;

  private final double speed;
  private final long gapNanosMax;
  private long previousMillis = UNKNOWN;
  private long dueNanos;

  ReplayPace(double speed, Duration gapMax) {
    this.speed = speed;
    this.gapNanosMax = gapMax.toNanos();
  }

  /** The due time of the next position; never before the previous one's. */
  long next(long atMillis) {
    if (atMillis == UNKNOWN) {
      return dueNanos;
    }
    if (previousMillis != UNKNOWN && atMillis > previousMillis) {
      double gap = (atMillis - previousMillis) / speed * TimeUnit.MILLISECONDS.toNanos(1);
      dueNanos += (long) Math.min(gap, (double) gapNanosMax);
    }
    previousMillis = atMillis;
    return dueNanos;
  }
}
