package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.auth.Scope;
import gilmok.observe.Meters;
import gilmok.observe.SlowRequest;
import gilmok.trace.Tracer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a listener shows of its loops, routes and callers. */
@Tag("server")
final class RequestMetersIT {
  private static final int SENT_BYTES = 5;

  private final Meters meters = new Meters();
  private final Offloads offloads = new Offloads(meters);
  private final RequestMeters requests = new RequestMeters(meters, Tracer.NONE);
  private HttpListener listener;

  @BeforeEach
  void listen() throws Exception {
    Offload offload = offloads.of("t", "t fails", 4, null);
    List<Route> routes =
        List.of(
            route("GET", "/read", exchange -> Edge.text(exchange, "hello")),
            route("GET", "/none", exchange -> exchange.refuse(Refusal.NOT_FOUND)),
            route("POST", "/write", exchange -> Edge.text(exchange, "hello")),
            route("GET", "/stream", RequestMetersIT::stream),
            route(
                "GET",
                "/apart",
                exchange ->
                    offload.ask(
                        exchange,
                        () -> {
                          spin();
                          return answering -> Edge.text(answering, "hello");
                        })));
    requests.add(routes);
    HttpConfig config = new EdgeConfig().loops(2).config();
    listener = new HttpListener("http", config, routes, Edge::check, requests);
    listener.start();
  }

  @AfterEach
  void close() {
    listener.close();
    offloads.close();
    meters.close();
  }

  private static Route route(String method, String path, Route.Handler handler) {
    int bytes = method.equals("GET") ? 0 : 1000;
    return new Route(
        method, path, Scope.READ, OwnershipRule.IN_QUERY, Priority.READS, bytes, handler);
  }

  private static void stream(Exchange exchange) {
    ReplyStream reply = exchange.stream("text/plain");
    reply.write(new byte[70]);
    reply.write(new byte[7]);
    reply.end();
  }

  /** Uses a processor for ten milliseconds. */
  private static void spin() {
    long until = System.nanoTime() + 10_000_000L;
    while (System.nanoTime() - until < 0) {
      Thread.onSpinWait();
    }
  }

  private double value(String line) {
    return new String(meters.scrape(), StandardCharsets.UTF_8)
        .lines()
        .filter(shown -> shown.startsWith(line + " "))
        .mapToDouble(shown -> Double.parseDouble(shown.substring(line.length() + 1)))
        .findFirst()
        .orElse(Double.NaN);
  }

  private double caller(String what, String key, String agent) {
    String labels = "{agent=\"" + agent + "\",key=\"" + key + "\"}";
    return value("gilmok_http_caller_" + what + "_total" + labels);
  }

  @Test
  void eachCaller_isCounted_byItsKeyAndProgram() throws Exception {
    try (Wire wire = new Wire(listener.port())) {
      wire.get("/read", "User-Agent: okhttp/4.12.0").read();
      wire.get("/none", "User-Agent: okhttp/5.0.0").read();
      wire.post(
              "/write", new byte[300], "User-Agent: okhttp/5.0.0", "Content-Type: application/json")
          .read();
      wire.get("/read", "User-Agent: Dalvik/2.1 (Linux)").read();
      wire.get("/read").read();
      wire.head("GET /read HTTP/1.1", "Host: t", "X-Api-Key: anna").read();
      wire.head("GET /read HTTP/1.1", "Host: t").read();
    }
    Edge.await(() -> caller("requests", "none", "none") == 1); // counted once it is sent
    assertThat(caller("requests", "1", "okhttp")).isEqualTo(3);
    assertThat(caller("refusals", "1", "okhttp")).isEqualTo(1);
    assertThat(caller("received_bytes", "1", "okhttp")).isEqualTo(300);
    assertThat(caller("sent_bytes", "1", "okhttp")).isGreaterThan(SENT_BYTES);
    assertThat(caller("processor_seconds", "1", "okhttp")).isPositive();
    assertThat(caller("requests", "1", "Dalvik")).isEqualTo(1);
    assertThat(caller("sent_bytes", "1", "Dalvik")).isEqualTo(SENT_BYTES);
    assertThat(caller("refusals", "1", "Dalvik")).isZero();
    assertThat(caller("requests", "1", "none")).isEqualTo(1);
    assertThat(caller("requests", "rider", "none")).isEqualTo(1);
    assertThat(caller("requests", "none", "none")).isEqualTo(1);
    assertThat(value("gilmok_http_received_bytes_total")).isEqualTo(300);
    assertThat(value("gilmok_http_sent_bytes_total")).isGreaterThan(4 * SENT_BYTES);
  }

  @Test
  void streamedBytes_areCounted() throws Exception {
    try (Wire wire = new Wire(listener.port())) {
      wire.get("/stream").readHead();
      Edge.await(() -> caller("sent_bytes", "1", "none") == 77);
    }
    assertThat(caller("requests", "1", "none")).isEqualTo(1);
    assertThat(value("gilmok_http_sent_bytes_total")).isEqualTo(77);
  }

  @Test
  void workOffTheLoop_isItsCallers() throws Exception {
    try (Wire wire = new Wire(listener.port())) {
      wire.get("/apart").read();
    }
    Edge.await(() -> caller("requests", "1", "none") == 1);
    assertThat(caller("processor_seconds", "1", "none")).isGreaterThanOrEqualTo(0.01);
    assertThat(value("gilmok_virtual_thread_start_seconds_count{part=\"t\"}")).isEqualTo(1);
  }

  @Test
  void sameRead_twiceInASecond_isCountedByRoute() throws Exception {
    try (Wire wire = new Wire(listener.port())) {
      wire.get("/read?a=1").read();
      wire.get("/read?a=2").read();
      wire.head("GET /read?a=1 HTTP/1.1", "Host: t", "X-Api-Key: reader").read();
      assertThat(value("gilmok_http_repeated_requests_total{route=\"/read\"}")).isZero();
      wire.get("/read?a=1").read();
      wire.get("/none").read();
      wire.get("/none").read();
    }
    assertThat(value("gilmok_http_repeated_requests_total{route=\"/read\"}")).isEqualTo(1);
    assertThat(value("gilmok_http_repeated_requests_total{route=\"/none\"}")).isZero();
  }

  @Test
  void eachLoop_hasALagAndWaitsOfItsOwn() throws Exception {
    List<Double> waits = new ArrayList<>();
    List<String> labels = List.of("{loop=\"http-0\"}", "{loop=\"http-1\"}");
    try (Wire one = new Wire(listener.port());
        Wire two = new Wire(listener.port())) { // a loop without connections has no lag
      one.get("/apart").read();
      two.get("/apart").read();
      for (String label : labels) {
        Edge.await(() -> value("gilmok_event_loop_lag_seconds_count" + label) > 1);
        waits.add(value("gilmok_event_loop_task_wait_seconds_count" + label));
        assertThat(value("gilmok_event_loop_pending_tasks" + label)).isGreaterThanOrEqualTo(0);
      }
    }
    assertThat(waits).allMatch(count -> count > 0);
  }

  @Test
  void loopWithoutConnections_isNotMeasured_untilItHasOne() throws Exception {
    String lags = "gilmok_event_loop_lag_seconds_count{loop=\"http-0\"}";
    double measured = value(lags);
    for (int i = 0; i < 3; i++) {
      double before = measured;
      try (Wire one = new Wire(listener.port());
          Wire two = new Wire(listener.port())) {
        one.get("/apart").read();
        two.get("/apart").read();
        Edge.await(() -> value(lags) > before);
      }
      Edge.await(() -> listener.connections() == 0);
      Edge.await(
          () -> {
            double last = value(lags);
            LockSupport.parkNanos(300_000_000L); // three ticks
            return value(lags) == last;
          });
      measured = value(lags);
    }
  }

  @Test
  void slowRequests_areKept_withTheirKey() throws Exception {
    try (Wire wire = new Wire(listener.port())) {
      wire.get("/read").read();
      wire.get("/apart").read();
    }
    Edge.await(() -> caller("requests", "1", "none") == 2);
    SlowRequest slowest =
        requests.slowRequests().slowest().stream()
            .filter(request -> request.route().equals("GET /apart"))
            .findFirst()
            .orElseThrow();
    assertThat(slowest.status()).isEqualTo(200);
    assertThat(slowest.key()).isEqualTo("1");
    assertThat(slowest.bytes()).isEqualTo(SENT_BYTES);
    assertThat(slowest.nanos()).isGreaterThan(10_000_000L);
  }
}
