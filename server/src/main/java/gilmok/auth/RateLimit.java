package gilmok.auth;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many requests a second one key may make, one second's worth of them at once. A token bucket
 * kept as one number: the time at which the bucket would be full again. Thread-safe, never blocks.
 */
final class RateLimit {
  private static final long BURST_NANOS = 1_000_000_000L;

  private final long nanosEach;
  private final AtomicLong fullAt = new AtomicLong();

  RateLimit(int perSecond) {
    nanosEach = BURST_NANOS / perSecond;
  }

  /** Whether one more may pass now. */
  boolean pass(long nowMillis) {
    long now = nowMillis * 1_000_000;
    while (true) {
      long seen = fullAt.get();
      // Later than any burst can lead to: the clock was set back, and the debt is not real.
      boolean unreal = seen - BURST_NANOS > now;
      long next = (seen < now || unreal ? now : seen) + nanosEach;
      if (next - now > BURST_NANOS) {
        return false;
      }
      if (fullAt.compareAndSet(seen, next)) {
        return true;
      }
    }
  }
}
