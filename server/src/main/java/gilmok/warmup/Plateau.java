package gilmok.warmup;

/**
 * Detects the plateau: two bursts in a row that were not better than the best before them by
 * {@value #BETTER}. One alone is often slow by chance. Not thread-safe.
 */
final class Plateau {
  static final double BETTER = 1.05;

  private double best;
  private int level;

  /** Adds the rate of the next burst; returns whether the plateau is reached. */
  boolean after(double rate) {
    boolean isBetter = rate > best * BETTER;
    best = Math.max(best, rate);
    level = isBetter ? 0 : level + 1;
    return level >= 2;
  }
}
