package gilmok.lab.capacity;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** The samples as columns of figures, one for each resource. Stateless. */
final class ResourceSeries {
  private static final double MILLIS = 1e3;
  private static final double MEGA = 1e6;
  private static final List<String> PARTS =
      List.of(
          "event-loops",
          "virtual-threads",
          "log",
          "documents",
          "sinks",
          "loops",
          "gc",
          "compiler",
          "other");

  private ResourceSeries() {}

  /** One row a second; the column "seconds" counts from the first. */
  static SequencedMap<String, List<Double>> of(SampleSpan all) {
    SequencedMap<String, List<Double>> columns = new LinkedHashMap<>();
    List<ResourceSample> samples = all.samples();
    for (int i = 1; i < samples.size(); i++) {
      ResourceSample now = samples.get(i);
      if (now.metrics().lines().isEmpty() != samples.getFirst().metrics().lines().isEmpty()) {
        continue; // the server could not be asked
      }
      row(
          columns,
          new SampleSpan(List.of(samples.get(i - 1), now), all.processors(), all.ofMachine()),
          (now.nanos() - samples.getFirst().nanos()) / 1e9);
    }
    return columns;
  }

  private static void row(
      SequencedMap<String, List<Double>> columns, SampleSpan span, double seconds) {
    ResourceSample now = span.samples().getLast();
    put(columns, "seconds", seconds);
    put(columns, "answers/s", now.latencies().getTotalCount() / Math.max(1e-3, span.seconds()));
    put(columns, "p50 ms", now.latencies().getValueAtPercentile(50) / MEGA);
    put(columns, "p99 ms", now.latencies().getValueAtPercentile(99) / MEGA);
    for (String part : PARTS) {
      put(
          columns,
          "cores " + part,
          span.rate("gilmok_processor_seconds_total", "part=\"" + part + "\""));
    }
    put(columns, "cores server", span.serverCores());
    put(columns, "cores load", span.loadCores());
    put(columns, "cores busy", span.busyCores());
    put(columns, "cores stolen", span.machine().stolenSeconds() / Math.max(1e-3, span.seconds()));
    put(columns, "fsync ms", MILLIS * span.mean("gilmok_log_fsync_seconds", ""));
    put(columns, "fsync share", span.rate("gilmok_log_fsync_seconds_sum", ""));
    put(columns, "commit ms", MILLIS * span.mean("gilmok_documents_commit_seconds", ""));
    put(columns, "commit share", span.rate("gilmok_documents_commit_seconds_sum", ""));
    put(columns, "database ms", MILLIS * span.mean("gilmok_documents_mongo_command_seconds", ""));
    put(columns, "pause share", span.rate("jvm_gc_pause_seconds_sum", ""));
    put(columns, "lock wait s/s", span.rate("gilmok_lock_wait_seconds_sum", ""));
    put(columns, "heap after gc MB", span.last("gilmok_heap_after_gc_bytes", "") / MEGA);
    put(columns, "disk MB/s", span.machine().diskBytes() / Math.max(1e-3, span.seconds()) / MEGA);
    put(
        columns,
        "network MB/s",
        span.machine().networkBytes() / Math.max(1e-3, span.seconds()) / MEGA);
    put(columns, "sink behind s", span.most("gilmok_sink_lag_seconds", ""));
    put(columns, "refusals/s", span.rate("gilmok_http_refusals_total", ""));
    put(columns, "in flight", span.last("gilmok_http_requests_open", ""));
  }

  private static void put(SequencedMap<String, List<Double>> columns, String name, double value) {
    columns
        .computeIfAbsent(name, _ -> new ArrayList<>())
        .add(Double.isFinite(value) ? Math.round(value * 1e4) / 1e4 : 0);
  }
}
