package gilmok.auth;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A rate limit, as for one key: requests a second, of which one second's worth may come at once. A
 * token bucket stored as one number: the time at which the bucket will be full again. Thread-safe,
 * never blocks.
 */
public final class RateLimit {
  private static final long BURST_NANOS = 1_000_000_000L;

  private final long nanosEach;
  private final AtomicLong fullAt = new AtomicLong();

  /** Nothing has passed yet. */
  public RateLimit(int perSecond) {
    nanosEach = BURST_NANOS / perSecond;
  }

  /** Whether one more request may pass now. */
  public boolean pass(long nowMillis) {
    long now = nowMillis * 1_000_000;
    while (true) {
      long seen = fullAt.get();
      // No burst leads so far ahead: the clock was set back, and the debt does not count.
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
