package gilmok.trace.otlp;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.observe.Counter;
import gilmok.observe.Meters;
import gilmok.trace.TraceSpan;
import gilmok.trace.Tracer;
import gilmok.trace.TracingConfig;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sends a tracer's spans, each two seconds or when there are many, while there is somewhere to send
 * them. What a collector does not take is dropped and counted: no request waits for it. On a
 * background loop of its own.
 */
public final class OtlpExport implements BackgroundLoop.Work, AutoCloseable {
  private static final int BATCH_MAX = 512;
  private static final long LOOK_NANOS = 500_000_000L;

  /** A request to the collector costs more than the spans in it. */
  private static final long PERIOD_NANOS = 2_000_000_000L;

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration STOP_MAX = Duration.ofSeconds(2);

  /** Referenced here, as the JDK would drop the logger with its level. The loop logs failures. */
  private final Logger sdk = Logger.getLogger("io.opentelemetry");

  private final Tracer tracer;
  private final String node;
  private final String version;
  private final BackgroundLoops loops;
  private final Counter sent;
  private final Counter failed;
  private final List<TraceSpan> taken = new ArrayList<>(BATCH_MAX);
  private @Nullable OtlpHttpSpanExporter exporter;
  private @Nullable Resource resource;

  /** Null while there was nowhere to send yet: a server without traces does not wake for them. */
  private @Nullable BackgroundLoop loop;

  private long sentNanos = System.nanoTime();

  /** What the exporter was made for. */
  private TracingConfig made = TracingConfig.OFF;

  /**
   * One that sends nothing yet.
   *
   * @param node this node's id, by which a backend tells nodes apart
   */
  public OtlpExport(
      Tracer tracer, String node, String version, Meters meters, BackgroundLoops loops) {
    this.tracer = tracer;
    this.node = node;
    this.version = version;
    this.loops = loops;
    sdk.setLevel(Level.OFF);
    sent = meters.counter("gilmok_trace_spans_sent_total", "Spans that a collector has taken.");
    failed = Tracer.dropped(meters, "collector");
  }

  /** From now on these settings hold. */
  public synchronized void take(TracingConfig config) {
    tracer.take(config);
    if (tracer.isOn() && loop == null) {
      loop = loops.optional("traces", "spans are not sent to tracing.endpoint", this);
      loop.start();
    }
  }

  @Override
  public long pass() throws IOException, InterruptedException {
    if (System.nanoTime() - sentNanos >= PERIOD_NANOS || tracer.queued() >= BATCH_MAX) {
      sendAll();
    }
    return LOOK_NANOS;
  }

  private void sendAll() throws IOException {
    sentNanos = System.nanoTime();
    OtlpHttpSpanExporter to = exporter();
    do {
      taken.clear();
      tracer.drainTo(taken, BATCH_MAX);
      if (to != null && !taken.isEmpty()) {
        send(to);
      }
    } while (taken.size() == BATCH_MAX);
  }

  /** The exporter for the settings in force; null where there is nowhere to send. */
  private @Nullable OtlpHttpSpanExporter exporter() {
    TracingConfig now = tracer.config();
    if (!now.equals(made)) {
      close(exporter);
      URI endpoint = now.endpoint();
      exporter = endpoint == null ? null : exporter(endpoint, now.authorization());
      resource =
          Resource.create(
              Attributes.builder()
                  .put("service.name", "gilmok")
                  .put("service.version", version)
                  .put("service.instance.id", node)
                  .build());
      made = now;
    }
    return exporter;
  }

  private static OtlpHttpSpanExporter exporter(URI endpoint, @Nullable String authorization) {
    OtlpHttpSpanExporterBuilder builder =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(endpoint.toString())
            .setTimeout(TIMEOUT)
            .setConnectTimeout(TIMEOUT)
            .setRetryPolicy(null) // a batch is not worth waiting for: the next ones would be lost
            .setCompression("gzip");
    if (authorization != null) {
      builder.addHeader("Authorization", authorization);
    }
    return builder.build();
  }

  private void send(OtlpHttpSpanExporter to) throws IOException {
    List<SpanData> spans = new ArrayList<>(2 * taken.size());
    for (TraceSpan span : taken) {
      OtlpSpan.add(Objects.requireNonNull(resource), span, spans);
    }
    CompletableResultCode result = to.export(spans).join(2 * TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    if (result.isSuccess()) {
      sent.add(taken.size());
    } else {
      failed.add(taken.size());
      Throwable why = result.getFailureThrowable();
      throw new IOException(
          "the collector at tracing.endpoint does not take them"
              + (why == null ? "" : ": " + why.getMessage()));
    }
  }

  @Override
  public void end() {
    try {
      sendAll();
    } catch (IOException _) {
      // Counted; nothing is repeated at the next start.
    }
  }

  private static void close(@Nullable OtlpHttpSpanExporter exporter) {
    if (exporter != null) {
      var _ = exporter.shutdown().join(1, TimeUnit.SECONDS);
    }
  }

  @Override
  public void close() {
    BackgroundLoop running;
    synchronized (this) {
      running = loop;
    }
    try {
      if (running != null) {
        running.stop(STOP_MAX);
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    close(exporter);
  }
}
