package gilmok.sinks.firehose;

import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import java.time.Duration;
import java.util.List;
import software.amazon.awssdk.core.metrics.CoreMetric;
import software.amazon.awssdk.http.HttpMetric;
import software.amazon.awssdk.metrics.MetricCollection;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.metrics.SdkMetric;

/**
 * Publishes the SDK client's measurements as our metrics. The numbers of connections are those at
 * the beginning of the call that ended last. Thread-safe: called by the threads that send.
 */
final class ClientMeters implements MetricPublisher {
  private final Histogram callSeconds;
  private final Histogram acquireSeconds;
  private volatile int leased;
  private volatile int available;
  private volatile int pending;

  ClientMeters(Meters meters, String sink, int concurrencyMax) {
    String[] labels = {"sink", sink};
    callSeconds =
        meters.seconds(
            "gilmok_firehose_client_call_seconds", "One call, as the SDK measures it.", labels);
    acquireSeconds =
        meters.seconds(
            "gilmok_firehose_client_acquire_seconds",
            "How long a call waited for a connection.",
            labels);
    meters.gauge(
        "gilmok_firehose_client_connections_max",
        "Connections that the client may have.",
        () -> concurrencyMax,
        labels);
    meters.gauge(
        "gilmok_firehose_client_connections_leased", "Connections in use.", () -> leased, labels);
    meters.gauge(
        "gilmok_firehose_client_connections_available",
        "Open connections that are idle.",
        () -> available,
        labels);
    meters.gauge(
        "gilmok_firehose_client_pending_acquires",
        "Calls that wait for a connection.",
        () -> pending,
        labels);
  }

  @Override
  public void publish(MetricCollection call) {
    for (Duration took : call.metricValues(CoreMetric.API_CALL_DURATION)) {
      callSeconds.record(took.toNanos());
    }
    read(call);
  }

  /** The HTTP client's metrics are a child of the attempt's, which are a child of the call's. */
  private void read(MetricCollection metrics) {
    for (Duration took : metrics.metricValues(HttpMetric.CONCURRENCY_ACQUIRE_DURATION)) {
      acquireSeconds.record(took.toNanos());
    }
    leased = last(metrics, HttpMetric.LEASED_CONCURRENCY, leased);
    available = last(metrics, HttpMetric.AVAILABLE_CONCURRENCY, available);
    pending = last(metrics, HttpMetric.PENDING_CONCURRENCY_ACQUIRES, pending);
    metrics.children().forEach(this::read);
  }

  private static int last(MetricCollection metrics, SdkMetric<Integer> metric, int before) {
    List<Integer> values = metrics.metricValues(metric);
    return values.isEmpty() ? before : values.getLast();
  }

  @Override
  public void close() {}
}
