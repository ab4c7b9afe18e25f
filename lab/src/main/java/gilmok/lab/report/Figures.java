package gilmok.lab.report;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Formats figures and computes medians. Stateless. */
public final class Figures {
  /** The text of an empty cell. */
  public static final String NONE = "";

  private Figures() {}

  public static String whole(double value) {
    return Double.isNaN(value) ? "not measured" : String.format(Locale.ROOT, "%,.0f", value);
  }

  public static String whole(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  public static String fine(double value) {
    return Double.isNaN(value) ? "not measured" : String.format(Locale.ROOT, "%.2f", value);
  }

  /** The median of the values. */
  public static double median(List<Double> values) {
    return median(values, value -> value);
  }

  /** The median of a property of the values. */
  public static <T> double median(List<T> values, ToDoubleFunction<T> of) {
    return of.applyAsDouble(middle(values, of));
  }

  /** The value with the median of a property. */
  public static <T> T middle(List<T> values, ToDoubleFunction<T> by) {
    return values.stream().sorted(Comparator.comparingDouble(by)).toList().get(values.size() / 2);
  }

  public static BarChart.Bar bar(String label, double value, String unit) {
    return new BarChart.Bar(label, value, fine(value) + " " + unit);
  }
}
