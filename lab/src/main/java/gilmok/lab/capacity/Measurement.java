package gilmok.lab.capacity;

import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * One run of the load generator, as it reported it. Milliseconds; microseconds of processor time a
 * request.
 *
 * @param subject the server's name
 */
record Measurement(
    String subject,
    double requestsPerSecond,
    double positionsPerSecond,
    double p50,
    double p99,
    double p999,
    double max,
    double worstSecondP99,
    double serverMicros,
    double serverCores,
    double loadMicros,
    double loadCores,
    double otherCores,
    long positionsAccepted,
    boolean valid,
    String errors) {

  static Measurement of(String subject, JsonNode report) {
    JsonNode latency = report.get("latencyMillis");
    return new Measurement(
        subject,
        report.get("requestsPerSecond").asDouble(),
        report.get("positionsPerSecond").asDouble(),
        latency.get("p50").asDouble(),
        latency.get("p99").asDouble(),
        latency.get("p99.9").asDouble(),
        latency.get("max").asDouble(),
        report.get("worstSecondP99Millis").asDouble(),
        report.get("serverMicrosPerRequest").asDouble(),
        report.get("serverCores").asDouble(),
        report.get("loadMicrosPerRequest").asDouble(),
        report.get("loadCores").asDouble(),
        report.get("otherCores").asDouble(),
        report.get("positionsAccepted").asLong(),
        report.get("valid").asBoolean(),
        report.get("errorKinds").toString());
  }

  /** The run in the middle by requests a second. */
  static Measurement median(List<Measurement> rounds) {
    return middle(rounds, Comparator.comparingDouble(Measurement::requestsPerSecond));
  }

  /** The run in the middle by p99. */
  static Measurement medianByP99(List<Measurement> rounds) {
    return middle(rounds, Comparator.comparingDouble(Measurement::p99));
  }

  private static Measurement middle(List<Measurement> rounds, Comparator<Measurement> order) {
    List<Measurement> sorted = rounds.stream().sorted(order).toList();
    return sorted.get(sorted.size() / 2);
  }
}
