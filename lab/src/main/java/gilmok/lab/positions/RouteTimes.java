package gilmok.lab.positions;

import gilmok.lab.Metrics;
import java.util.Map;
import java.util.TreeMap;

/** The response times of a route, from the server's own histogram. Immutable. */
final class RouteTimes {
  private static final String NAME = "gilmok_http_request_seconds_bucket{";

  private final Map<Double, Double> byEnd = new TreeMap<>();

  private RouteTimes() {}

  /** The response times of GET on a route with status 200. */
  static RouteTimes of(Metrics metrics, String route) {
    RouteTimes times = new RouteTimes();
    for (String line : metrics.lines()) {
      if (line.startsWith(NAME)
          && line.contains("route=\"" + route + "\"")
          && line.contains("method=\"GET\"")
          && line.contains("status=\"200\"")) {
        String end = line.replaceAll(".*le=\"([^\"]+)\".*", "$1");
        times.byEnd.put(
            end.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(end),
            Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)));
      }
    }
    return times;
  }

  RouteTimes since(RouteTimes before) {
    RouteTimes times = new RouteTimes();
    byEnd.forEach(
        (end, count) -> times.byEnd.put(end, count - before.byEnd.getOrDefault(end, 0.0)));
    return times;
  }

  /** The share of responses within a time. */
  double shareWithin(double seconds) {
    double all = byEnd.getOrDefault(Double.POSITIVE_INFINITY, 0.0);
    double within = 0;
    for (Map.Entry<Double, Double> bucket : byEnd.entrySet()) {
      within = bucket.getKey() <= seconds ? bucket.getValue() : within;
    }
    return all == 0 ? 0 : within / all;
  }

  /** The upper bound of the bucket that contains a quantile, in milliseconds. */
  double quantileMillis(double quantile) {
    double all = byEnd.getOrDefault(Double.POSITIVE_INFINITY, 0.0);
    for (Map.Entry<Double, Double> bucket : byEnd.entrySet()) {
      if (bucket.getValue() >= quantile * all) {
        return 1000 * bucket.getKey();
      }
    }
    return Double.NaN;
  }
}
