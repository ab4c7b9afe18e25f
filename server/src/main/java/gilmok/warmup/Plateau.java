package gilmok.warmup;

/**
 * Detects the plateau: a burst that was not better than the best before it by {@value #BETTER}. Not
 * thread-safe.
 */
final class Plateau {
  static final double BETTER = 1.05;

  private double best;
  private int bursts;

  /** Adds the rate of the next burst; returns whether the plateau is reached. */
  boolean after(double rate) {
    boolean isBetter = rate > best * BETTER;
    best = Math.max(best, rate);
    bursts++;
    return bursts > 1 && !isBetter;
  }
}
