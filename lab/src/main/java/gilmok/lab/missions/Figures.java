package gilmok.lab.missions;

import gilmok.lab.capacity.BarChart;
import gilmok.lab.capacity.Chapter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** How figures are written, and which of several counts. No state. */
final class Figures {
  /** In place of what a row does not have. */
  static final String NONE = "";

  private Figures() {}

  static String whole(double value) {
    return Double.isNaN(value) ? "not measured" : String.format(Locale.ROOT, "%,.0f", value);
  }

  static String whole(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  static String fine(double value) {
    return Double.isNaN(value) ? "not measured" : String.format(Locale.ROOT, "%.2f", value);
  }

  /** The one in the middle. */
  static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  /** The one in the middle of runs. */
  static double median(List<Load.Result> runs, ToDoubleFunction<Load.Result> of) {
    return median(runs.stream().map(of::applyAsDouble).toList());
  }

  static BarChart.Bar bar(String label, double value, String unit) {
    return new BarChart.Bar(label, value, fine(value) + " " + unit);
  }

  static Chapter.Verdict verdict(String what, String reach, String measured, boolean reached) {
    return new Chapter.Verdict(what, reach, measured, reached);
  }
}
