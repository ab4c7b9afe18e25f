package gilmok.ops;

import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The values of metrics at one moment, by the metric's name. Immutable. */
final class DataPoints {
  private static final String TOTAL = "_total";

  private final Map<String, MetricSnapshot> byName = new HashMap<>();

  DataPoints(MetricSnapshots all) {
    for (MetricSnapshot one : all) {
      byName.put(one.getMetadata().getPrometheusName(), one);
    }
  }

  /** The name without what a counter's ends with, as the registry knows it. */
  static String registered(String name) {
    return name.endsWith(TOTAL) ? name.substring(0, name.length() - TOTAL.length()) : name;
  }

  /** The points of a metric, each with its labels; none when it is not there. */
  List<? extends DataPointSnapshot> of(String name) {
    MetricSnapshot known = byName.get(registered(name));
    return known == null ? List.of() : known.getDataPoints();
  }

  /** The names of all metrics that were read; those of counters without their end. */
  Iterable<String> names() {
    return byName.keySet();
  }

  /** A gauge's value, a counter's total, or how many a histogram has counted. */
  static double value(DataPointSnapshot point) {
    return switch (point) {
      case GaugeDataPointSnapshot gauge -> gauge.getValue();
      case CounterDataPointSnapshot counter -> counter.getValue();
      case HistogramDataPointSnapshot histogram -> histogram.getCount();
      case SummaryDataPointSnapshot summary -> summary.getCount();
      default -> Double.NaN;
    };
  }

  /** The sum of what a histogram or a summary has counted, else the value. */
  static double sum(DataPointSnapshot point) {
    return switch (point) {
      case HistogramDataPointSnapshot histogram -> histogram.getSum();
      case SummaryDataPointSnapshot summary -> summary.getSum();
      default -> value(point);
    };
  }
}
