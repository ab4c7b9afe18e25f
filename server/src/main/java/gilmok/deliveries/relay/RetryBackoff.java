package gilmok.deliveries.relay;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait after failures: doubling, with a fifth of chance to either side. Thread-safe.
 */
final class RetryBackoff {
  private static final int DOUBLINGS_MAX = 40;
  private static final double JITTER = 0.2;

  private final long minMillis;
  private final long maxMillis;
  private final RandomGenerator random;

  /**
   * @param random one that threads can share
   */
  RetryBackoff(Duration min, Duration max, RandomGenerator random) {
    minMillis = min.toMillis();
    maxMillis = max.toMillis();
    this.random = random;
  }

  /**
   * The pause after a failure.
   *
   * @param attempts how many there were, from 1
   */
  long millis(int attempts) {
    int doublings = Math.min(attempts - 1, DOUBLINGS_MAX);
    double pause = Math.min((double) maxMillis, (double) minMillis * (1L << doublings));
    return jitter((long) pause);
  }

  /** That time, a fifth shorter to a fifth longer; at least 1 ms. */
  long jitter(long millis) {
    double factor = 1 - JITTER + 2 * JITTER * random.nextDouble();
    return Math.max(1, (long) (millis * factor));
  }
}
