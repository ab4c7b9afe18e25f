package gilmok.lab.start;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;

/** Values of the same thing, measured several times, by size. Immutable. */
final class Spread {
  private final double[] sorted;

  private Spread(double[] sorted) {
    this.sorted = sorted;
  }

  /**
   * Of these.
   *
   * @throws IllegalArgumentException when there are none
   */
  static Spread of(Collection<Double> values) {
    return of(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /**
   * Of these.
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

  /** The one in the middle; of an even number, the mean of the two there. */
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

  /** Median and most, as in {@code 5.91 (worst 6.40)}. */
  String worstHigh() {
    return fine(median()) + " (worst " + fine(most()) + ")";
  }

  /** Median and least, where little is bad. */
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
