package gilmok.ops;

import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The points of one metric that a chart shows: all in one line, or one line for each value of a
 * label. Values beyond the sixteenth share the line {@code other}.
 *
 * <p>Not thread-safe: owned by the sampler.
 */
final class PointGroup {
  private static final int LINES_MAX = 16;
  private static final String OTHER = "other";

  private final String metric;
  private final @Nullable String label;
  private final Predicate<Labels> filter;
  private final Set<String> known = new HashSet<>();

  private PointGroup(String metric, @Nullable String label, Predicate<Labels> filter) {
    this.metric = metric;
    this.label = label;
    this.filter = filter;
  }

  /** All points of a metric, together. */
  static PointGroup of(String metric) {
    return new PointGroup(metric, null, labels -> true);
  }

  /** The points of a metric, apart by the values of a label. */
  static PointGroup of(String metric, String label) {
    return new PointGroup(metric, label, labels -> true);
  }

  /** The same, of those points only. */
  PointGroup where(Predicate<Labels> only) {
    return new PointGroup(metric, label, only);
  }

  /** The same, of the points whose label has that value. */
  PointGroup where(String name, String value) {
    return where(labels -> value.equals(labels.get(name)));
  }

  /** The metric's name. */
  String metric() {
    return metric;
  }

  /** Whether it has a line for each value of a label. */
  boolean isSplit() {
    return label != null;
  }

  /** The points of each line, by the line's name: {@code line}, or {@code line:value}. */
  Map<String, List<DataPointSnapshot>> of(String line, DataPoints now) {
    return of(line, now, false);
  }

  /** The same; a line of its own is not given to what was never counted. */
  Map<String, List<DataPointSnapshot>> counted(String line, DataPoints now) {
    return of(line, now, isSplit());
  }

  private Map<String, List<DataPointSnapshot>> of(String line, DataPoints now, boolean isCounted) {
    Map<String, List<DataPointSnapshot>> groups = new LinkedHashMap<>();
    for (DataPointSnapshot point : now.of(metric)) {
      Labels labels = point.getLabels();
      if (filter.test(labels) && !(isCounted && DataPoints.value(point) == 0)) {
        groups.computeIfAbsent(name(line, labels), _ -> new ArrayList<>()).add(point);
      }
    }
    return groups;
  }

  private String name(String line, Labels labels) {
    String value = label == null ? null : labels.get(label);
    if (value == null) {
      return line;
    }
    boolean hasOwn = known.contains(value) || (known.size() < LINES_MAX && known.add(value));
    return line + ":" + (hasOwn ? value : OTHER);
  }
}
