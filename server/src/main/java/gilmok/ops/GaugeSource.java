package gilmok.ops;

import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import java.util.List;
import java.util.function.DoubleBinaryOperator;

/**
 * Lines of a metric's present values.
 *
 * @param fold makes one number of the points of a line
 */
record GaugeSource(String line, PointGroup group, DoubleBinaryOperator fold)
    implements ChartSource {
  @Override
  public String metric() {
    return group.metric();
  }

  @Override
  public List<String> lines() {
    return List.of(line);
  }

  @Override
  public void take(DataPoints now, double seconds, MetricsHistory history) {
    group
        .of(line, now)
        .forEach(
            (name, points) -> {
              double all = Double.NaN;
              for (DataPointSnapshot point : points) {
                double value = DataPoints.value(point);
                all = Double.isNaN(all) ? value : fold.applyAsDouble(all, value);
              }
              history.put(name, all);
            });
  }
}
