package gilmok.deliveries.relay;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait after failures: doubling, with a fifth of chance to either side. Thread-safe.
 *
 * @param random one that threads can share
 */
record RetryBackoff(Duration min, Duration max, RandomGenerator random) {
  private static final int DOUBLINGS_MAX = 40;
  private static final double JITTER = 0.2;

  /**
   * The pause after a failure.
   *
   * @param attempts how many there were, from 1
   */
  long millis(int attempts) {
    int doublings = Math.min(attempts - 1, DOUBLINGS_MAX);
    double doubled = (double) min.toMillis() * (1L << doublings);
    double pause = Math.min((double) max.toMillis(), doubled);
    return jitter((long) pause);
  }

  /** That time, a fifth shorter to a fifth longer; at least 1 ms. */
  long jitter(long millis) {
    double factor = 1 - JITTER + 2 * JITTER * random.nextDouble();
    return Math.max(1, (long) (millis * factor));
  }
}
