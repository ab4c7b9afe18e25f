package gilmok.lab.load;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.json.JsonMapper;

/**
 * The report of a run of positions, as it is written as JSON. Latencies are in milliseconds, in an
 * open loop from when a request was due; processor times are in microseconds for each answered
 * request of the measured part. {@code otherCores} is the processor use of everything except the
 * load and the server: it shows how quiet the machine was.
 */
public record LoadReport(
    String mode,
    double seconds,
    int connections,
    int positionsPerRequest,
    double rateWanted,
    double requestsPerSecond,
    double positionsPerSecond,
    Map<String, Double> latencyMillis,
    long requestsAnswered,
    long positionsAccepted,
    long duplicates,
    long errors,
    Map<String, Long> errorKinds,
    boolean valid,
    double loadMicrosPerRequest,
    double loadCores,
    double serverMicrosPerRequest,
    double serverCores,
    double otherCores,
    double worstSecondP99Millis) {

  private static final double REFUSED_MOST = 0.001;

  static LoadReport of(RunResult result, int positions, List<PositionsWorkload> lanes) {
    LoadPlan plan = result.plan();
    Usage used = result.used();
    long accepted = lanes.stream().mapToLong(PositionsWorkload::acknowledged).sum();
    double perRequest = Math.max(1, result.perSecond() * result.wall());
    return new LoadReport(
        plan.open() ? "open" : "closed",
        plan.measured().toNanos() / 1e9,
        plan.connections(),
        positions,
        plan.rate(),
        result.perSecond(),
        result.perSecond() * positions,
        result.percentiles(),
        result.answered(),
        accepted,
        lanes.stream().mapToLong(PositionsWorkload::duplicates).sum(),
        result.errorCount(),
        result.errors(),
        result.errors().isEmpty() && result.answers() > 0,
        used.ownNanos() / 1e3 / perRequest,
        used.ownCores(),
        used.serverNanos() / 1e3 / perRequest,
        used.serverCores(),
        used.otherCores(),
        result.worstSecondP99());
  }

  /**
   * Whether its figures can be used: nothing went wrong, or one request in a thousand was refused
   * at most, as {@code capacity} allows by default.
   */
  public boolean isUsable() {
    boolean isRefusedOnly = errorKinds.keySet().equals(Set.of("status 503"));
    return valid || (isRefusedOnly && errors <= REFUSED_MOST * requestsAnswered);
  }

  /** A latency by name, as {@code p99.9}. */
  public double latency(String name) {
    return latencyMillis.getOrDefault(name, Double.NaN);
  }

  /** The median. */
  public double p50() {
    return latency("p50");
  }

  /** The 99th percentile. */
  public double p99() {
    return latency("p99");
  }

  /** The longest latency. */
  public double max() {
    return latency("max");
  }

  /** Reads what {@link #json} wrote. */
  public static LoadReport read(String json) {
    return JsonMapper.shared().readValue(json, LoadReport.class);
  }

  String json() {
    return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(this);
  }

  String table() {
    StringBuilder out = new StringBuilder();
    row(out, "mode", mode + (rateWanted > 0 ? String.format(" at %,.0f/s", rateWanted) : ""));
    row(out, "connections, positions", connections + ", " + positionsPerRequest);
    row(out, "requests/s", String.format("%,.0f", requestsPerSecond));
    row(out, "positions/s", String.format("%,.0f", positionsPerSecond));
    latencyMillis.forEach((name, v) -> row(out, name, String.format("%.3f ms", v)));
    row(out, "p99 of worst second", String.format("%.3f ms", worstSecondP99Millis));
    row(out, "answered, all", String.format("%,d", requestsAnswered));
    row(out, "accepted positions", String.format("%,d", positionsAccepted));
    row(out, "duplicates", Long.toString(duplicates));
    row(out, "errors", errors + (errorKinds.isEmpty() ? "" : " " + errorKinds));
    row(out, "load's processor", usage(loadMicrosPerRequest, loadCores));
    if (serverCores > 0) {
      row(out, "server's processor", usage(serverMicrosPerRequest, serverCores));
    }
    row(out, "others' processor", String.format("%.2f cores", otherCores));
    row(out, "verdict", valid ? "valid" : "VOID");
    return out.toString();
  }

  private static String usage(double micros, double cores) {
    return String.format(Locale.ROOT, "%.2f µs a request, %.2f cores", micros, cores);
  }

  private static void row(StringBuilder out, String name, String value) {
    out.append(String.format("%-24s %s%n", name, value));
  }
}
