package gilmok.lab.load;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a run found. Latencies in milliseconds, in an open loop from when a request was due;
 * processor time in microseconds for each answered request of the measured part. {@code otherCores}
 * is what neither the load nor the server used: how quiet the machine was.
 */
record LoadReport(
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
    double worstSecondP99Millis,
    Histogram histogram) {

  static LoadReport of(LoadPlan plan, List<Tally> tallies, LoadRun.Usage used) {
    Histogram histogram = new Histogram(tallies.getFirst().latencies);
    histogram.reset();
    Map<String, Long> kinds = new LinkedHashMap<>();
    long answered = 0;
    long measured = 0;
    long accepted = 0;
    long duplicates = 0;
    for (Tally tally : tallies) {
      histogram.add(tally.latencies);
      tally.errors.forEach((kind, count) -> kinds.merge(kind, count, Long::sum));
      answered += tally.answered();
      measured += tally.answeredMeasured;
      accepted += tally.accepted;
      duplicates += tally.duplicates;
    }
    long errors = kinds.values().stream().mapToLong(Long::longValue).sum();
    double seconds = plan.measured().toNanos() / 1e9;
    double perSecond = measured / seconds;
    double perRequest = Math.max(1, perSecond * used.wallNanos() / 1e9);
    return new LoadReport(
        plan.open() ? "open" : "closed",
        seconds,
        plan.connections(),
        plan.positions(),
        plan.rate(),
        perSecond,
        perSecond * plan.positions(),
        percentiles(histogram),
        answered,
        accepted,
        duplicates,
        errors,
        kinds,
        errors == 0 && duplicates == 0 && measured > 0 && accepted == answered * plan.positions(),
        used.ownNanos() / 1e3 / perRequest,
        (double) used.ownNanos() / used.wallNanos(),
        used.serverNanos() / 1e3 / perRequest,
        (double) used.serverNanos() / used.wallNanos(),
        Math.max(
            0,
            (double) (used.machineNanos() - used.ownNanos() - used.serverNanos())
                / used.wallNanos()),
        tallies.stream().mapToLong(Tally::worstSecondP99).max().orElse(0) / 1e6,
        histogram);
  }

  private static Map<String, Double> percentiles(Histogram histogram) {
    Map<String, Double> millis = new LinkedHashMap<>();
    millis.put("mean", histogram.getMean() / 1e6);
    millis.put("p50", histogram.getValueAtPercentile(50) / 1e6);
    millis.put("p90", histogram.getValueAtPercentile(90) / 1e6);
    millis.put("p99", histogram.getValueAtPercentile(99) / 1e6);
    millis.put("p99.9", histogram.getValueAtPercentile(99.9) / 1e6);
    millis.put("max", histogram.getMaxValue() / 1e6);
    return millis;
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

  String json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("mode", mode);
    all.put("seconds", seconds);
    all.put("connections", connections);
    all.put("positionsPerRequest", positionsPerRequest);
    all.put("rateWanted", rateWanted);
    all.put("requestsPerSecond", requestsPerSecond);
    all.put("positionsPerSecond", positionsPerSecond);
    all.put("latencyMillis", latencyMillis);
    all.put("requestsAnswered", requestsAnswered);
    all.put("positionsAccepted", positionsAccepted);
    all.put("duplicates", duplicates);
    all.put("errors", errors);
    all.put("errorKinds", errorKinds);
    all.put("valid", valid);
    all.put("loadMicrosPerRequest", loadMicrosPerRequest);
    all.put("loadCores", loadCores);
    all.put("serverMicrosPerRequest", serverMicrosPerRequest);
    all.put("serverCores", serverCores);
    all.put("otherCores", otherCores);
    all.put("worstSecondP99Millis", worstSecondP99Millis);
    return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(all);
  }
}
