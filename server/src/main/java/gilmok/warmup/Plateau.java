package gilmok.warmup;

/**
 * Whether something has stopped getting faster: a burst was not better than the best before it by
 * {@value #BETTER}. Not thread-safe.
 */
final class Plateau {
  static final double BETTER = 1.05;

  private double best;
  private int bursts;

  /** Takes the next burst's rate; whether it is steady now. */
  boolean after(double rate) {
    boolean isBetter = rate > best * BETTER;
    best = Math.max(best, rate);
    bursts++;
    return bursts > 1 && !isBetter;
  }
}
