package gilmok.warmup;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Whether something has stopped getting faster: the rate over a second has not been better than the
 * best before by {@value #BETTER} for a second. Not thread-safe.
 */
final class Steadiness {
  static final double BETTER = 1.03;

  /** A second, in windows. */
  private static final int SPAN = 4;

  private final Deque<Double> span = new ArrayDeque<>();
  private double best;
  private int since;

  /** Takes the next window's rate; whether it is steady now. */
  boolean after(double rate) {
    span.addLast(rate);
    if (span.size() > SPAN) {
      span.removeFirst();
    }
    double mean = span.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    since = mean > best * BETTER ? 0 : since + 1;
    best = Math.max(best, mean);
    return since >= SPAN;
  }
}
