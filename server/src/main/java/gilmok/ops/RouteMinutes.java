package gilmok.ops;

import gilmok.event.JsonBuffer;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * For each route and minute of the last hour: how many requests fell into each bucket of their
 * duration, and how many were faults. From that, any quantile of any minutes can be reckoned. Of at
 * most {@link #ROUTES_MAX} routes, 4 kB each.
 *
 * <p>Thread-safe.
 */
final class RouteMinutes {
  static final int MINUTES_MAX = 60;

  /** Routes beyond are left out. */
  static final int ROUTES_MAX = 128;

  private static final long MINUTE_MILLIS = 60_000;

  private final Map<Labels, long[]> before = new HashMap<>();
  private final Map<String, Past> byRoute = new TreeMap<>();
  private double[] bounds = {};

  /** The minutes of one route. */
  private static final class Past {
    final String method;
    final String route;
    final @Nullable Minute[] minutes = new Minute[MINUTES_MAX];

    Past(String method, String route) {
      this.method = method;
      this.route = route;
    }

    Minute at(long minute, int buckets) {
      int slot = (int) (minute % MINUTES_MAX);
      Minute known = minutes[slot];
      if (known == null || known.minute != minute) {
        known = new Minute(minute, new int[buckets]);
        minutes[slot] = known;
      }
      return known;
    }
  }

  /** One minute of one route. */
  private static final class Minute {
    final long minute;
    final int[] counts;
    int faults;

    Minute(long minute, int[] counts) {
      this.minute = minute;
      this.counts = counts;
    }
  }

  /**
   * Adds what was counted since the sample before to the present minute.
   *
   * @param isFirst whether there was none before, so that nothing is known about when it was
   */
  synchronized void take(DataPoints now, long millis, boolean isFirst) {
    for (DataPointSnapshot point : now.of(ClientTraffic.METRIC)) {
      if (point instanceof HistogramDataPointSnapshot histogram
          && ClientTraffic.counts(point.getLabels())) {
        take(histogram, millis / MINUTE_MILLIS, isFirst);
      }
    }
  }

  private void take(HistogramDataPointSnapshot histogram, long minute, boolean isFirst) {
    ClassicHistogramBuckets buckets = histogram.getClassicBuckets();
    if (bounds.length == 0) {
      bounds = Durations.bounds(buckets);
    }
    Labels labels = histogram.getLabels();
    long[] counts = new long[bounds.length];
    Durations.add(buckets, counts);
    long[] last = before.put(labels, counts);
    Minute to = null;
    for (int i = 0; i < counts.length; i++) {
      long fresh = counts[i] - (last == null ? 0 : last[i]);
      if (fresh <= 0 || isFirst) {
        continue;
      }
      if (to == null) {
        to = minute(labels, minute);
        if (to == null) {
          return;
        }
      }
      to.counts[i] += (int) fresh;
      to.faults += ClientTraffic.isFault(labels) ? (int) fresh : 0;
    }
  }

  private @Nullable Minute minute(Labels labels, long minute) {
    String method = String.valueOf(labels.get("method"));
    String route = String.valueOf(labels.get("route"));
    String name = route + " " + method;
    Past past = byRoute.get(name);
    if (past == null) {
      if (byRoute.size() == ROUTES_MAX) {
        return null;
      }
      past = new Past(method, route);
      byRoute.put(name, past);
    }
    return past.at(minute, bounds.length);
  }

  /**
   * Writes the member {@code routes}: the minutes from that time on, each as its number since 1970,
   * its faults and the count of each bucket, without the zeros at the end.
   */
  synchronized void write(long sinceMillis, long nowMillis, JsonBuffer out) {
    out.ascii("\"routes\":{\"bounds\":[");
    for (int i = 0; i + 1 < bounds.length; i++) {
      out.ascii(i == 0 ? "" : ",").number(bounds[i]);
    }
    out.ascii("],\"items\":[");
    long first = Math.max(sinceMillis, nowMillis - MINUTES_MAX * MINUTE_MILLIS) / MINUTE_MILLIS;
    String separator = "";
    for (Past past : byRoute.values()) {
      out.ascii(separator).ascii("{\"method\":").string(past.method);
      out.ascii(",\"route\":").string(past.route).ascii(",\"minutes\":[");
      separator = ",";
      String comma = "";
      for (Minute minute : past.minutes) {
        if (minute != null && minute.minute >= first) {
          out.ascii(comma);
          write(minute, out);
          comma = ",";
        }
      }
      out.ascii("]}");
    }
    out.ascii("]}");
  }

  private static void write(Minute minute, JsonBuffer out) {
    out.put('[').number(minute.minute).put(',').number(minute.faults);
    int length = minute.counts.length;
    while (length > 0 && minute.counts[length - 1] == 0) {
      length--;
    }
    for (int i = 0; i < length; i++) {
      out.put(',').number(minute.counts[i]);
    }
    out.put(']');
  }
}
