package gilmok.app;

import static gilmok.app.SpanCollector.attribute;
import static gilmok.app.SpanCollector.hex;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Traces: what comes in with a request, what goes out with records, webhooks and by OTLP. */
@Tag("process")
final class TracesIT extends DeliveryRig {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";
  private static final String PARENT = "00-" + TRACE + "-" + SPAN + "-01";

  private SpanCollector collector = SpanCollector.open();

  @Override
  String[] settings() {
    return new String[] {
      "tracing.endpoint=" + collector.endpoint(),
      "tracing.authorization=Bearer t",
      "tracing.sample-every=0",
      "relay.private-networks=127.0.0.1",
      "sinks.enabled=files",
      "sinks.files.format=ndjson",
      "sinks.files.file-age-max=20ms"
    };
  }

  @AfterEach
  void end() {
    collector.close();
  }

  @Test
  void request_ofATrace_isASpanOfIt_withItsParts() throws Exception {
    assertThat(collect(1, "traceparent", PARENT).status()).isEqualTo(202);
    Span span = collector.await("POST /v1/traces").getFirst();
    assertThat(hex(span.getTraceId())).isEqualTo(TRACE);
    assertThat(hex(span.getParentSpanId())).isEqualTo(SPAN);
    assertThat(span.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_SERVER);
    assertThat(attribute(span, "http.request.method")).isEqualTo("POST");
    assertThat(attribute(span, "http.route")).isEqualTo("/v1/traces");
    assertThat(attribute(span, "http.response.status_code")).isEqualTo("202");
    assertThat(attribute(span, "gilmok.decode.ms")).isNotEmpty();
    assertThat(span.toString()).doesNotContain("127.0.0.1").doesNotContain(server.adminKey());
    long nanos = span.getEndTimeUnixNano() - span.getStartTimeUnixNano();
    List<Span> parts = collector.spans(one -> one.getParentSpanId().equals(span.getSpanId()));
    assertThat(parts).isNotEmpty();
    for (Span part : parts) {
      assertThat(part.getStartTimeUnixNano()).isGreaterThanOrEqualTo(span.getStartTimeUnixNano());
      assertThat(part.getEndTimeUnixNano()).isLessThanOrEqualTo(span.getEndTimeUnixNano());
      assertThat(part.getEndTimeUnixNano() - part.getStartTimeUnixNano())
          .isLessThanOrEqualTo(nanos);
    }
    assertThat(collector.resource().toString()).contains("service.name").contains("gilmok");
    assertThat(collector.authorization).isEqualTo("Bearer t");
  }

  @Test
  void record_hasItsTrace_andIsTheSameRecordInAnother() throws Exception {
    String other = PARENT.replace("4b", "5c");
    assertThat(collect(1, "traceparent", PARENT).status()).isEqualTo(202);
    assertThat(collect(1, "traceparent", other).body()).contains("\"duplicates\":1");
    assertThat(collect(1).body()).contains("\"duplicates\":1");
    assertThat(collect(2).status()).isEqualTo(202);
    Program.await(() -> shipped().count() == 2);
    Span span = collector.await("POST /v1/traces").getFirst();
    assertThat(shipped())
        .filteredOn(line -> line.contains("traceparent"))
        .singleElement()
        .asString()
        .contains("\"traceparent\":\"00-" + TRACE + "-" + hex(span.getSpanId()) + "-01\"");
  }

  @Test
  void delivery_isToldInItsTrace() throws Exception {
    try (ToldPartner partner = new ToldPartner()) {
      assertThat(call("PUT", "/v1/partners/shop-1", partner.asJson()).status()).isLessThan(300);
      Reply made = call("POST", "/v1/deliveries", order("1"), "traceparent", PARENT);
      String id = made.at("/id");
      assertThat(step(id, "accept", "").status()).isEqualTo(200);
      assertThat(step(id, "cancel", "", "traceparent", PARENT).status()).isEqualTo(200);
      partner.await(Map.of(id, 3));
      assertThat(partner.traces).containsOnlyKeys(id + ":1", id + ":3");
      Span request = collector.await("POST /v1/deliveries").getFirst();
      Program.await(() -> collector.named("POST webhook").size() == 2);
      assertThat(collector.named("POST webhook"))
          .filteredOn(call -> call.getParentSpanId().equals(request.getSpanId()))
          .singleElement()
          .satisfies(
              call -> {
                assertThat(call.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CLIENT);
                assertThat(attribute(call, "gilmok.partner")).isEqualTo("shop-1");
                assertThat(partner.traces.get(id + ":1"))
                    .isEqualTo("00-" + TRACE + "-" + hex(call.getSpanId()) + "-01");
              });
      Program.await(() -> shipped().filter(line -> line.contains(":3\",\"type\"")).count() == 1);
      assertThat(shipped().filter(line -> line.contains(":3\",\"type\"")))
          .singleElement()
          .asString()
          .contains("\"traceparent\":\"00-" + TRACE);
      assertThat(call("GET", "/v1/deliveries/" + id + "/events", "").body()).doesNotContain(TRACE);
    }
  }

  /** Neither by a header, nor by what it sends, nor by being slow. */
  @Test
  void phone_choosesNoTrace() throws Exception {
    String phone = server.key("{\"name\":\"p\",\"scopes\":[\"collect\"],\"rider\":\"r-1\"}");
    try (ToldPartner partner = new ToldPartner()) {
      assertThat(call("PUT", "/v1/partners/shop-1", partner.asJson()).status()).isLessThan(300);
      String id = assigned("1");
      String own = PARENT.replace("4b", "6d");
      String action =
          "{\"riderId\":\"r-1\",\"at\":%d,\"type\":\"pickup\",\"deliveryId\":\"%s\"%s}"
              .formatted(
                  System.currentTimeMillis(),
                  id,
                  ",\"attributes\":{\"traceparent\":\"" + own + "\"}");
      assertThat(callWith(phone, "POST", "/v1/actions", action, "traceparent", PARENT).status())
          .isEqualTo(202);
      String position = "{\"riderId\":\"r-1\",\"at\":1,\"lat\":1,\"lon\":1}";
      assertThat(callWith(phone, "POST", "/v1/traces", position, "traceparent", PARENT).status())
          .isEqualTo(202);
      partner.await(Map.of(id, 4));
      assertThat(partner.traces).isEmpty();
      Program.await(() -> shipped().anyMatch(line -> line.contains("\"stream\":\"traces\"")));
      assertThat(shipped()).noneMatch(line -> line.contains(TRACE));
    }
    assertThat(collect(2, "traceparent", PARENT).status()).isEqualTo(202); // a later one is there
    assertThat(collector.await("POST /v1/traces")).hasSize(1);
    assertThat(collector.spans(span -> !hex(span.getTraceId()).equals(TRACE))).isEmpty();
  }

  @Test
  void fault_isTracedAlways() throws Exception {
    try (Connection sqlite =
        DriverManager.getConnection("jdbc:sqlite:" + data.resolve("documents.db"))) {
      sqlite.createStatement().execute("BEGIN IMMEDIATE");
      Reply late = call("POST", "/v1/deliveries", order("1"));
      assertThat(late.status()).isEqualTo(503);
      sqlite.createStatement().execute("ROLLBACK");
    }
    Span span = collector.await("POST /v1/deliveries").getFirst();
    assertThat(span.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
    assertThat(attribute(span, "error.type")).isEqualTo("503");
    assertThat(hex(span.getParentSpanId())).isEmpty();
  }

  @Test
  void collectorIsAway_thenRefuses_thenComesBack() throws Exception {
    int port = collector.port();
    collector.close();
    assertThat(collect(1, "traceparent", PARENT).status()).isEqualTo(202);
    Program.await(() -> dropped() >= 1); // more where another request was slow
    double before = dropped();
    collector = new SpanCollector(port);
    collector.status = 500;
    assertThat(collect(2, "traceparent", PARENT).status()).isEqualTo(202);
    Program.await(() -> dropped() > before);
    assertThat(server.get("/health/ready").status()).isEqualTo(200);
    collector.status = 200;
    Program.await(
        () -> {
          assertThat(collect(3, "traceparent", PARENT).status()).isEqualTo(202);
          return !collector.named("POST /v1/traces").isEmpty();
        });
    assertThat(server.metric("gilmok_trace_spans_sent_total")).isPositive();
  }

  private double dropped() throws Exception {
    return server.metric("gilmok_trace_spans_dropped_total{cause=\"collector\"}");
  }

  private Reply collect(long at, String... headers) throws Exception {
    String position = "{\"riderId\":\"r\",\"at\":%d,\"lat\":1,\"lon\":1}".formatted(at);
    return call("POST", "/v1/traces", position, headers);
  }

  private Stream<String> shipped() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(data)) {
      files = all.filter(path -> path.toString().endsWith(".ndjson.zst")).toList();
    }
    List<String> lines = new ArrayList<>();
    for (Path file : files) {
      try (InputStream whole = new ZstdInputStream(Files.newInputStream(file))) {
        lines.addAll(new String(whole.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
      }
    }
    return lines.stream();
  }
}
