package gilmok.ops;

import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Lines of how fast a counter grows, a second. Not thread-safe: owned by the sampler.
 *
 * @see DataPoints
 */
final class RateSource implements ChartSource {
  private final String line;
  private final PointGroup group;
  private final ToDoubleFunction<DataPointSnapshot> value;
  private final Map<String, Double> before = new HashMap<>();

  /** Lines of the growth of that value of each point. */
  RateSource(String line, PointGroup group, ToDoubleFunction<DataPointSnapshot> value) {
    this.line = line;
    this.group = group;
    this.value = value;
  }

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
    Map<String, List<DataPointSnapshot>> groups = group.counted(line, now);
    if (groups.isEmpty() && !group.isSplit() && !now.of(metric()).isEmpty()) {
      groups = Map.of(line, List.of()); // what is told apart by a filter has not happened yet
    }
    for (Map.Entry<String, List<DataPointSnapshot>> one : groups.entrySet()) {
      double total = one.getValue().stream().mapToDouble(value).sum();
      // A point that comes later began at 0: a counter is made when there is something to count.
      Double last = before.put(one.getKey(), total);
      if (seconds > 0) {
        history.put(one.getKey(), Math.max(0, total - (last == null ? 0 : last)) / seconds);
      }
    }
  }
}
