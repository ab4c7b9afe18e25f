package gilmok.ops;

import gilmok.ops.HistogramSource.Figure;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import java.util.function.Predicate;

/**
 * What the page shows, by the names of {@code docs/metrics.md}: the one place where they are. A
 * metric that this server does not have is left out. Stateless.
 */
final class OpsCatalog {
  private OpsCatalog() {}

  /** Metrics whose newest values are shown as they are. */
  static final List<String> SHOWN =
      List.of(
          "gilmok_disk_bytes",
          "gilmok_disk_free_bytes",
          "gilmok_host_load1",
          "gilmok_host_swap_used_bytes",
          "gilmok_http_certificate_expiry_timestamp_seconds",
          "gilmok_ledger_residue_records",
          "gilmok_loop_age_seconds",
          "gilmok_loop_failures_total",
          "gilmok_loop_up",
          "gilmok_sink_lag_seconds",
          "gilmok_sink_state",
          "gilmok_sink_waiting_records",
          "gilmok_waiting",
          "process_files_open_files");

  /** The lines of all charts. */
  static List<ChartSource> sources() {
    return List.of(
        // Requests
        requests("http.requests", ClientTraffic::counts),
        requests("http.faults", ClientTraffic::isFault),
        requests("http.unavailable", ClientTraffic::isUnavailable),
        requests("http.refused", ClientTraffic::isCallersFault),
        new HistogramSource(
            "http",
            PointGroup.of(ClientTraffic.METRIC).where(ClientTraffic::counts),
            Figure.P50,
            Figure.P99,
            Figure.SLOW,
            Figure.STUCK),
        rate("refusals", PointGroup.of("gilmok_http_refusals_total", "refusal")),
        rate("http.received", PointGroup.of("gilmok_http_received_bytes_total")),
        rate("http.sent", PointGroup.of("gilmok_http_sent_bytes_total")),
        rate("http.repeated", PointGroup.of("gilmok_http_repeated_requests_total")),
        sum("http.open", PointGroup.of("gilmok_http_requests_open")),
        sum("http.connections", PointGroup.of("gilmok_http_connections")),
        // Callers, by key and program
        rate("caller.requests", byCaller("gilmok_http_caller_requests_total")),
        rate("caller.refusals", byCaller("gilmok_http_caller_refusals_total")),
        rate("caller.received", byCaller("gilmok_http_caller_received_bytes_total")),
        rate("caller.sent", byCaller("gilmok_http_caller_sent_bytes_total")),
        rate("caller.processor", byCaller("gilmok_http_caller_processor_seconds_total")),
        // Event loops and virtual threads
        p99("loop.lag", PointGroup.of("gilmok_event_loop_lag_seconds", "loop")),
        p99("loop.wait", PointGroup.of("gilmok_event_loop_task_wait_seconds", "loop")),
        sum("loop.pending", PointGroup.of("gilmok_event_loop_pending_tasks")),
        sum("virtual.parallelism", PointGroup.of("gilmok_virtual_threads_parallelism")),
        sum("virtual.pool", PointGroup.of("gilmok_virtual_threads_pool_size")),
        sum("virtual.mounted", PointGroup.of("gilmok_virtual_threads_mounted")),
        sum("virtual.queued", PointGroup.of("gilmok_virtual_threads_queued")),
        p99("virtual.start", PointGroup.of("gilmok_virtual_thread_start_seconds")),
        rate("virtual.pinned", PointGroup.of("gilmok_virtual_thread_pinned_seconds")),
        new RateSource("lock.wait", PointGroup.of("gilmok_lock_wait_seconds"), DataPoints::sum),
        p99("wait", PointGroup.of("gilmok_wait_seconds", "on")),
        sum("blocked", PointGroup.of("jvm_threads_states_threads").where("state", "blocked")),
        // Collecting and the log
        rate("collect.accepted", PointGroup.of("gilmok_collect_accepted_total")),
        rate("collect.duplicates", PointGroup.of("gilmok_collect_duplicates_total")),
        rate("collect.quarantined", PointGroup.of("gilmok_collect_quarantined_total")),
        p99("log.append", PointGroup.of("gilmok_log_append_seconds")),
        new HistogramSource(
            "log.fsync", PointGroup.of("gilmok_log_fsync_seconds"), Figure.P50, Figure.P99),
        rate("log.fsyncs", PointGroup.of("gilmok_log_fsync_seconds")),
        new HistogramSource("log.group", PointGroup.of("gilmok_log_group_records"), Figure.MEAN),
        // Documents
        p99("documents.commit", PointGroup.of("gilmok_documents_commit_seconds")),
        p99("documents.mongo", PointGroup.of("gilmok_documents_mongo_command_seconds", "command")),
        rate("documents.busy", PointGroup.of("gilmok_documents_busy_total")),
        // Sinks and the ledger
        rate("sink.delivered", PointGroup.of("gilmok_sink_delivered_records_total", "sink")),
        max("sink.lag", PointGroup.of("gilmok_sink_lag_seconds", "sink")),
        p99("sink.send", PointGroup.of("gilmok_sink_send_seconds", "sink")),
        // Webhooks
        rate("relay.calls", PointGroup.of("gilmok_relay_calls_total", "outcome")),
        p99("relay.call", PointGroup.of("gilmok_relay_call_seconds")),
        p99("relay.delivered", PointGroup.of("gilmok_relay_delivered_seconds")),
        sum("relay.waiting", PointGroup.of("gilmok_relay_waiting")),
        sum("relay.breakers", PointGroup.of("gilmok_relay_breakers", "state")),
        rate("relay.dead", PointGroup.of("gilmok_relay_dead_lettered_total")),
        // Memory and the collector
        new RateSource("gc.pause", PointGroup.of("jvm_gc_pause_seconds"), DataPoints::sum),
        new RateSource("gc.cause", PointGroup.of("jvm_gc_pause_seconds", "cause"), DataPoints::sum),
        rate("gc.count", PointGroup.of("jvm_gc_pause_seconds")),
        heap("heap.used", "jvm_memory_used_bytes"),
        heap("heap.max", "jvm_memory_max_bytes"),
        sum("heap.live", PointGroup.of("gilmok_heap_after_gc_bytes")),
        rate("heap.allocated", PointGroup.of("gilmok_allocated_bytes_total")),
        // The processor and the machine
        rate("processor", PointGroup.of("gilmok_processor_seconds_total", "part")),
        sum("processor.used", PointGroup.of("process_cpu_usage")),
        sum("processor.host", PointGroup.of("system_cpu_usage")),
        rate("processor.throttled", PointGroup.of("gilmok_cpu_throttled_seconds_total")),
        rate("pressure", PointGroup.of("gilmok_host_pressure_seconds_total", "resource")),
        rate("faults", PointGroup.of("gilmok_process_major_faults_total")),
        // The server's own log
        rate("lines", PointGroup.of("gilmok_log_lines_total", "level")),
        rate("lines.dropped", PointGroup.of("gilmok_log_lines_dropped_total")));
  }

  private static ChartSource requests(String line, Predicate<Labels> which) {
    PointGroup group =
        PointGroup.of(ClientTraffic.METRIC)
            .where(labels -> ClientTraffic.counts(labels) && which.test(labels));
    return rate(line, group);
  }

  private static PointGroup byCaller(String metric) {
    return PointGroup.of(metric, "key", "agent");
  }

  private static ChartSource heap(String line, String metric) {
    return new GaugeSource(
        line,
        PointGroup.of(metric).where("area", "heap"),
        (a, b) -> Math.max(a, 0) + Math.max(b, 0));
  }

  private static ChartSource rate(String line, PointGroup group) {
    return new RateSource(line, group, DataPoints::value);
  }

  private static ChartSource p99(String line, PointGroup group) {
    return new HistogramSource(line, group, Figure.P99);
  }

  private static ChartSource sum(String line, PointGroup group) {
    return new GaugeSource(line, group, Double::sum);
  }

  private static ChartSource max(String line, PointGroup group) {
    return new GaugeSource(line, group, Math::max);
  }
}
