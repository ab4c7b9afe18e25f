package gilmok.ops;

import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The points of one metric that a chart shows: all in one line, or one line for each value of a
 * label, or of several together. Values beyond the sixteenth share the line {@code other}.
 *
 * <p>Not thread-safe: owned by the sampler.
 */
final class PointGroup {
  private static final int LINES_MAX = 16;
  private static final String OTHER = "other";
  private static final String BETWEEN = " · ";

  private final String metric;
  private final List<String> labels;
  private final Predicate<Labels> filter;
  private final Set<String> known = new HashSet<>();

  private PointGroup(String metric, List<String> labels, Predicate<Labels> filter) {
    this.metric = metric;
    this.labels = labels;
    this.filter = filter;
  }

  /** The points of a metric, apart by the values of these labels; without any, all together. */
  static PointGroup of(String metric, String... labels) {
    return new PointGroup(metric, List.of(labels), _ -> true);
  }

  /** The same, of those points only. */
  PointGroup where(Predicate<Labels> only) {
    return new PointGroup(metric, labels, only);
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
    return !labels.isEmpty();
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
      Labels own = point.getLabels();
      if (filter.test(own) && !(isCounted && DataPoints.value(point) == 0)) {
        groups.computeIfAbsent(name(line, own), _ -> new ArrayList<>()).add(point);
      }
    }
    return groups;
  }

  private String name(String line, Labels own) {
    String value =
        labels.stream()
            .map(own::get)
            .filter(Objects::nonNull)
            .distinct() // "other" of each label is one "other"
            .collect(Collectors.joining(BETWEEN));
    if (value.isEmpty()) {
      return line;
    }
    boolean hasOwn = known.contains(value) || (known.size() < LINES_MAX && known.add(value));
    return line + ":" + (hasOwn ? value : OTHER);
  }
}
