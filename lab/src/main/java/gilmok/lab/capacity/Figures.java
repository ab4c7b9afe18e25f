package gilmok.lab.capacity;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** How figures are written, and which of several counts. No state. */
public final class Figures {
  /** In place of what a row does not have. */
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

  /** The one in the middle. */
  public static double median(List<Double> values) {
    return median(values, value -> value);
  }

  /** What the one in the middle has of that. */
  public static <T> double median(List<T> values, ToDoubleFunction<T> of) {
    return of.applyAsDouble(middle(values, of));
  }

  /** The one in the middle by that. */
  public static <T> T middle(List<T> values, ToDoubleFunction<T> by) {
    return values.stream().sorted(Comparator.comparingDouble(by)).toList().get(values.size() / 2);
  }

  public static BarChart.Bar bar(String label, double value, String unit) {
    return new BarChart.Bar(label, value, fine(value) + " " + unit);
  }
}
