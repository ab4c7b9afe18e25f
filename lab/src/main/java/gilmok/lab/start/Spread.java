package gilmok.lab.start;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;

/** Several measurements of the same quantity, sorted. Immutable. */
final class Spread {
  private final double[] sorted;

  private Spread(double[] sorted) {
    this.sorted = sorted;
  }

  /**
   * A spread of values.
   *
   * @throws IllegalArgumentException when there are none
   */
  static Spread of(Collection<Double> values) {
    return of(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /**
   * A spread of values.
   *
   * @throws IllegalArgumentException when there are none
   */
  static Spread of(double[] values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("nothing was measured");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Spread(sorted);
  }

  /** The median; of an even number of values, the mean of the two in the middle. */
  double median() {
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  double least() {
    return sorted[0];
  }

  double most() {
    return sorted[sorted.length - 1];
  }

  int count() {
    return sorted.length;
  }

  /** The median and the maximum, as in {@code 5.91 (worst 6.40)}. */
  String worstHigh() {
    return fine(median()) + " (worst " + fine(most()) + ")";
  }

  /** The median and the minimum, for quantities where low is bad. */
  String worstLow() {
    return fine(median()) + " (worst " + fine(least()) + ")";
  }

  static String fine(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.2f", value);
  }

  static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }
}
