package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The register of those to whom a location is given: partners, customers and sinks. */
@Tag("process")
final class RegisterGivenIT extends DeliveryRig {
  private final Trouble trouble = new Trouble();

  /** How many webhooks have named a rider, and how many of them were taken. */
  private final AtomicInteger told = new AtomicInteger();

  private final AtomicInteger taken = new AtomicInteger();

  private volatile int status = 503;

  private void serve(String... settings) throws Exception {
    server.close();
    server = RunningServer.start(data, trouble, settings);
  }

  private HttpServer partner() throws Exception {
    HttpServer partner =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    partner.createContext("/", this::take);
    partner.start();
    String body =
        ("{\"kind\":\"shop\",\"url\":\"http://127.0.0.1:%d/\",\"events\":[\"*\"],"
                + "\"secret\":\"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\"}")
            .formatted(partner.getAddress().getPort());
    assertThat(call("PUT", "/v1/partners/shop-1", body).status()).isEqualTo(201);
    return partner;
  }

  private void take(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    boolean isNamed = body.contains("\"r-");
    int answer = isNamed ? status : 204;
    if (isNamed) {
      told.incrementAndGet();
    }
    exchange.sendResponseHeaders(answer, -1);
    exchange.close();
    if (isNamed && answer == 204) {
      taken.incrementAndGet();
    }
  }

  private List<JsonNode> given(String query) throws Exception {
    Reply reply = call("GET", "/v1/privacy/records?" + query, "");
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply
        .json()
        .path("items")
        .valueStream()
        .filter(row -> row.path("kind").asString().equals("given"))
        .toList();
  }

  private static long count(List<JsonNode> rows) {
    return rows.stream().mapToLong(row -> row.path("count").asLong()).sum();
  }

  private void trace(String rider, int positions) throws Exception {
    long now = System.currentTimeMillis();
    for (int i = 0; i < positions; i++) {
      String trace =
          "{\"riderId\":\"%s\",\"at\":%d,\"lat\":37.55,\"lon\":127.05}".formatted(rider, now + i);
      assertThat(call("POST", "/v1/traces", trace).status()).isEqualTo(202);
    }
    server.awaitSeen();
  }

  private String assignedTo(String rider, String order) throws Exception {
    String id = created(order(order));
    assertThat(step(id, "accept", "").status()).isEqualTo(200);
    String body = "{\"riderId\":\"" + rider + "\"}";
    assertThat(step(id, "assign", body).status()).isEqualTo(200);
    return id;
  }

  @Test
  void partner_isWrittenDownByRider_alsoWhereItFails_andIsNotToldBeforeThereIsRoom()
      throws Exception {
    serve(
        "relay.private-networks=127.0.0.1",
        "relay.retry-min=20 ms",
        "relay.retry-max=100 ms",
        "relay.breaker-pause=50 ms");
    HttpServer partner = partner();
    try {
      assignedTo("r-1", "1");
      Program.await(() -> told.get() >= 3);
      List<JsonNode> failed = given("rider=r-1&key=shop/shop-1");
      assertThat(count(failed)).as("each attempt").isGreaterThanOrEqualTo(3);
      JsonNode row = failed.getFirst();
      assertThat(row.path("what").asString()).isEqualTo("partner");
      assertThat(row.path("recipient").asString()).isEqualTo("shop/shop-1");
      assertThat(row.has("key")).isFalse();
      assertThat(row.path("riderId").asString()).isEqualTo("r-1");
      assertThat(row.path("purposes").toString()).isEqualTo("[\"partner\"]");
      status = 204;
      Program.await(() -> taken.get() == 1);
      assertThat(count(given("rider=r-1"))).isEqualTo(told.get());

      trouble.registerIsAway(true);
      trouble.journalFails(true);
      told.set(0);
      assignedTo("r-2", "2");
      String relays = "/v1/partners/shop-1/relays";
      Program.await(() -> call("GET", relays, "").body().contains("has no room"));
      assertThat(told.get()).isZero();
      trouble.registerIsAway(false);
      trouble.journalFails(false);
      Program.await(() -> taken.get() == 2);
      assertThat(count(given("rider=r-2"))).isEqualTo(told.get());
      assertThat(count(given("key=shop/shop-2"))).isZero();
    } finally {
      partner.stop(0);
    }
  }

  @Test
  void customer_isWrittenDownByRider_whenThePlaceIsShown() throws Exception {
    serve();
    String id = assignedTo("r-1", "1");
    trace("r-1", 1);
    String url = call("POST", "/v1/deliveries/" + id + "/track", "").at("/url");
    assertThat(callWith("", "GET", url, "", "Accept", "application/json").at("/state"))
        .isEqualTo("preparing");
    assertThat(given("rider=r-1")).as("no place before it is needed").isEmpty();
    step(id, "pickup", "");
    for (int i = 0; i < 3; i++) {
      Reply page = callWith("", "GET", url, "", "Accept", "application/json");
      assertThat(page.json().at("/rider/lat").asDouble()).isEqualTo(37.55);
    }
    List<JsonNode> rows = given("rider=r-1");
    assertThat(count(rows)).isEqualTo(3);
    assertThat(rows.getFirst().path("what").asString()).isEqualTo("customer");
    assertThat(rows.getFirst().path("purposes").toString()).isEqualTo("[\"customer\"]");
    assertThat(rows.getFirst().has("key")).isFalse();

    String other = assignedTo("r-2", "2");
    trace("r-2", 1);
    step(other, "pickup", "");
    String link = call("POST", "/v1/deliveries/" + other + "/track", "").at("/url");
    trouble.registerIsAway(true);
    trouble.journalFails(true);
    assertThat(callWith("", "GET", link, "", "Accept", "application/json").json().has("rider"))
        .as("what cannot be written down is not shown")
        .isFalse();
  }

  /** What was collected before a sink was named does not name it: the start says what it gets. */
  @Test
  void sink_namedLater_isWrittenDownAtTheStart_withWhatItWasNotSentYet() throws Exception {
    String files = "sinks.enabled=files";
    String save = "sinks.save-interval=10ms";
    String soon = "sinks.files.file-age-max=50ms";
    trace("r-1", 3);
    call("POST", "/v1/logs", "{\"riderId\":\"r-1\",\"at\":1,\"level\":\"warn\",\"message\":\"m\"}");
    assertThat(given("key=files")).as("there is none").isEmpty();
    serve(files, save, soon);
    List<JsonNode> first = given("key=files");
    assertThat(first).hasSize(1);
    JsonNode row = first.getFirst();
    assertThat(row.path("count").asLong()).as("positions, and no log lines").isEqualTo(3);
    assertThat(row.path("what").asString()).isEqualTo("sink");
    assertThat(row.path("recipient").asString()).isEqualTo("files");
    assertThat(row.path("purposes").toString()).isEqualTo("[\"sink\"]");
    assertThat(row.has("rider")).as("of all").isFalse();
    trace("r-1", 2);
    awaitShipped();
    serve(files, save, soon);
    assertThat(given("key=files")).as("nothing waited").containsExactly(row);
    serve();
    trace("r-2", 5);
    serve(files, save, soon);
    assertThat(given("key=files")).hasSize(2).endsWith(row);
    assertThat(given("key=files").getFirst().path("count").asLong()).isEqualTo(5);
  }

  private void awaitShipped() throws Exception {
    Program.await(
        () ->
            call("GET", "/v1/sinks", "").json().path("items").path(0).path("waiting").asLong(-1)
                == 0);
  }
}
