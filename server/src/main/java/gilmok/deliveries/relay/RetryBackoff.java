package gilmok.deliveries.relay;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Exponential backoff: pauses that double with each failure, with 20 % jitter either way.
 * Thread-safe.
 *
 * @param random a generator that threads can share
 */
record RetryBackoff(Duration min, Duration max, RandomGenerator random) {
  private static final int DOUBLINGS_MAX = 40;
  private static final double JITTER = 0.2;

  /**
   * The pause after a failure, in ms.
   *
   * @param attempts the number of failures so far, from 1
   */
  long millis(int attempts) {
    int doublings = Math.min(attempts - 1, DOUBLINGS_MAX);
    double doubled = (double) min.toMillis() * (1L << doublings);
    double pause = Math.min((double) max.toMillis(), doubled);
    return jitter((long) pause);
  }

  /** The time with up to 20 % jitter either way; at least 1 ms. */
  long jitter(long millis) {
    double factor = 1 - JITTER + 2 * JITTER * random.nextDouble();
    return Math.max(1, (long) (millis * factor));
  }
}
