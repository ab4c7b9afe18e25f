package gilmok.ops;

import gilmok.event.JsonBuffer;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The newest values of those metrics that are shown as they are, and of everything that has a
 * bound. Immutable.
 */
final class PresentState {
  private static final int POINTS_MAX = 2_000;

  private final Map<String, List<Value>> byMetric = new TreeMap<>();
  private final List<Bound> bounds = new ArrayList<>();

  private record Value(Labels labels, double value) {}

  /** Something that has a bound, and how much of it is used. */
  private record Bound(String metric, Labels labels, double value, double max) {}

  /** Nothing yet. */
  PresentState() {}

  /**
   * The values of one moment.
   *
   * @param shown the metrics that are shown
   * @param bounded the gauges of which another one, whose name ends in {@code _max}, is the bound
   */
  PresentState(DataPoints now, Iterable<String> shown, Iterable<String> bounded) {
    int room = POINTS_MAX;
    for (String metric : shown) {
      List<Value> values = new ArrayList<>();
      for (DataPointSnapshot point : now.of(metric)) {
        if (room-- > 0) {
          values.add(new Value(point.getLabels(), DataPoints.value(point)));
        }
      }
      if (!values.isEmpty()) {
        byMetric.put(metric, values);
      }
    }
    for (String metric : bounded) {
      room = addBounds(metric, now, room);
    }
  }

  private int addBounds(String metric, DataPoints now, int room) {
    int left = room;
    List<? extends DataPointSnapshot> bound = now.of(metric + "_max");
    for (DataPointSnapshot point : now.of(metric)) {
      for (DataPointSnapshot other : bound) {
        if (left > 0
            && point instanceof GaugeDataPointSnapshot
            && other.getLabels().equals(point.getLabels())) {
          double max = DataPoints.value(other);
          bounds.add(new Bound(metric, point.getLabels(), DataPoints.value(point), max));
          left--;
        }
      }
    }
    return left;
  }

  /** Writes the members {@code values} and {@code bounds}. */
  void write(JsonBuffer out) {
    out.ascii("\"values\":{");
    String separator = "";
    for (Map.Entry<String, List<Value>> metric : byMetric.entrySet()) {
      out.ascii(separator).string(metric.getKey()).put(':');
      out.list(metric.getValue(), (one, to) -> write(one.labels, one.value, to.put('{')).put('}'));
      separator = ",";
    }
    out.ascii("},\"bounds\":");
    out.list(
        bounds,
        (one, to) -> {
          write(one.labels, one.value, to.ascii("{\"metric\":").string(one.metric).put(','));
          to.ascii(",\"max\":");
          Numbers.write(one.max, to);
          to.put('}');
        });
  }

  private static JsonBuffer write(Labels labels, double value, JsonBuffer out) {
    out.ascii("\"labels\":{");
    for (int i = 0; i < labels.size(); i++) {
      out.ascii(i == 0 ? "" : ",").string(labels.getName(i)).put(':').string(labels.getValue(i));
    }
    out.ascii("},\"value\":");
    Numbers.write(value, out);
    return out;
  }
}
