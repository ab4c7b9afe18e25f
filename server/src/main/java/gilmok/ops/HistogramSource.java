package gilmok.ops;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Lines of what a histogram counted since the sample before: quantiles, shares, the mean. Not
 * thread-safe: owned by the sampler.
 */
final class HistogramSource implements ChartSource {
  private final String line;
  private final PointGroup group;
  private final EnumSet<Figure> figures;
  private final Map<String, long[]> before = new HashMap<>();
  private final Map<String, Double> sumBefore = new HashMap<>();

  /** What a line shows of a histogram; its name is put between the line's and the label's value. */
  enum Figure {
    P50,
    P99,
    /** The share over 100 ms. */
    SLOW,
    /** The share over 1 s. */
    STUCK,
    MEAN
  }

  /** Lines of these figures. */
  HistogramSource(String line, PointGroup group, Figure first, Figure... more) {
    this.line = line;
    this.group = group;
    figures = EnumSet.of(first, more);
  }

  @Override
  public String metric() {
    return group.metric();
  }

  @Override
  public List<String> lines() {
    return figures.stream().map(this::name).toList();
  }

  private String name(Figure figure) {
    return line + "." + figure.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void take(DataPoints now, double seconds, MetricsHistory history) {
    for (Map.Entry<String, List<DataPointSnapshot>> one : group.counted("", now).entrySet()) {
      take(one.getKey(), one.getValue(), seconds > 0, history);
    }
  }

  private void take(
      String value, List<DataPointSnapshot> points, boolean isShown, MetricsHistory history) {
    double[] bounds = {};
    long[] counts = {};
    double sum = 0;
    for (DataPointSnapshot point : points) {
      if (point instanceof HistogramDataPointSnapshot histogram
          && histogram.hasClassicHistogramData()) {
        ClassicHistogramBuckets buckets = histogram.getClassicBuckets();
        if (counts.length == 0) {
          bounds = Durations.bounds(buckets);
          counts = new long[bounds.length];
        }
        Durations.add(buckets, counts);
        sum += histogram.getSum();
      }
    }
    long[] last = before.put(value, counts);
    Double sumLast = sumBefore.put(value, sum);
    if (!isShown) {
      return;
    }
    long[] fresh = counts.clone();
    for (int i = 0; last != null && i < Math.min(last.length, fresh.length); i++) {
      fresh[i] = Math.max(0, fresh[i] - last[i]);
    }
    if (Durations.total(fresh) > 0) {
      show(value, bounds, fresh, sum - (sumLast == null ? 0 : sumLast), history);
    }
  }

  private void show(
      String value, double[] bounds, long[] fresh, double sum, MetricsHistory history) {
    for (Figure figure : figures) {
      history.put(
          name(figure) + value,
          switch (figure) {
            case P50 -> Durations.quantile(bounds, fresh, 0.5);
            case P99 -> Durations.quantile(bounds, fresh, 0.99);
            case SLOW -> Durations.above(bounds, fresh, 0.1);
            case STUCK -> Durations.above(bounds, fresh, 1);
            case MEAN -> sum / Durations.total(fresh);
          });
    }
  }
}
