package gilmok.lab.fleet;

import java.util.random.RandomGenerator;

/**
 * Whether a phone has a network: most of the time. It is lost for 20 seconds to some minutes in
 * tunnels, basements and lifts; more often indoors. Not thread-safe.
 */
final class Signal {
  private static final double OUTDOORS_MEAN_SECONDS = 2_400;
  private static final double INDOORS_MEAN_SECONDS = 420;
  private static final double SHORTEST_SECONDS = 20;
  private static final double LONGEST_SECONDS = 240;

  private final RandomGenerator random;
  private long backAt = Long.MIN_VALUE;

  Signal(RandomGenerator random) {
    this.random = random;
  }

  /** Advances by some time, to a time in milliseconds. */
  void advance(double seconds, long nowMillis, boolean inside) {
    double mean = inside ? INDOORS_MEAN_SECONDS : OUTDOORS_MEAN_SECONDS;
    if (nowMillis >= backAt && random.nextDouble() < seconds / mean) {
      double spread = Math.pow(LONGEST_SECONDS / SHORTEST_SECONDS, random.nextDouble());
      backAt = nowMillis + (long) (1000 * SHORTEST_SECONDS * spread);
    }
  }

  boolean isThere(long nowMillis) {
    return nowMillis >= backAt;
  }
}
