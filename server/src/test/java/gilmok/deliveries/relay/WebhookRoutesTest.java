package gilmok.deliveries.relay;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.deliveries.Delivery;
import gilmok.deliveries.OutboxReader;
import gilmok.http.Offloads;
import gilmok.http.Refusal;
import gilmok.http.TestExchange;
import gilmok.http.TestExchange.Reply;
import gilmok.observe.Meters;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** The routes of partners' webhooks: lists, redelivery, retry and replay. */
@Tag("server")
@Timeout(120)
class WebhookRoutesTest extends PartnerRoutesCase {
  @Test
  void relays_areListed_inPages() throws Exception {
    fleet.server.behave("/s1", (_, id) -> id.endsWith(":2") ? 500 : 200);
    put(ADMIN, "s1", body("shop", "/s1", Orders.SECRET));
    Delivery first = fleet.whole("s1");
    Delivery second = fleet.whole("s1");
    fleet.server.book("/s1").await(2);
    Reply page = relays(Map.of("state", "waiting", "limit", "1"));
    assertThat(page.status()).as(page.body()).isEqualTo(200);
    assertThat(page.json().path("items").findValuesAsString("deliveryId"))
        .isNotEmpty()
        .containsOnly(second.id());
    JsonNode item = page.json().path("items").path(0);
    assertThat(item.path("relayId").asString()).startsWith(second.id() + ":");
    assertThat(item.path("state").asString()).isEqualTo("waiting");
    assertThat(item.path("nextAt").asString()).isNotEmpty().isEqualTo(item.path("at").asString());
    String next = page.json().path("next").asString();
    Reply more = relays(Map.of("state", "waiting", "cursor", next));
    assertThat(more.json().path("items").findValuesAsString("deliveryId"))
        .isNotEmpty()
        .containsOnly(first.id());
    assertThat(more.json().path("next").isNull()).isTrue();
    assertThat(relays(Map.of("state", "lost")).field()).isEqualTo("state");
    assertThat(relays(Map.of("limit", "0")).field()).isEqualTo("limit");
    assertThat(relays(Map.of("limit", "x")).field()).isEqualTo("limit");
    assertThat(relays(Map.of("cursor", "?")).field()).isEqualTo("cursor");
    assertThat(relays(Map.of("cursor", "YWJj")).field()).isEqualTo("cursor");
  }

  @Test
  void relays_haveTheirHistory_andAPartnerCountsWhatWaits() throws Exception {
    fleet.server.behave("/s1", (_, id) -> id.endsWith(":2") ? 500 : 200);
    put(ADMIN, "s1", body("shop", "/s1", Orders.SECRET));
    fleet.whole("s1");
    fleet.whole("s1");
    fleet.server.book("/s1").await(2);
    JsonNode told = null;
    while (told == null || told.path("history").isEmpty()) {
      JsonNode items = relays(Map.of("state", "told")).json().path("items");
      assertThat(items.findValuesAsString("sequence")).allMatch("1"::equals);
      told = items.isEmpty() ? null : items.path(items.size() - 1);
    }
    assertThat(told.path("relayId").asString()).endsWith(":1");
    JsonNode attempt = told.path("history").path(0);
    assertThat(attempt.path("status").asInt()).isEqualTo(200);
    assertThat(attempt.path("latencyMillis").isNumber()).isTrue();
    assertThat(attempt.path("at").asString()).startsWith("20");
    assertThat(attempt.has("error")).isFalse();
    JsonNode failed = null;
    while (failed == null || failed.path("history").isEmpty()) {
      JsonNode items = relays(Map.of("state", "waiting")).json().path("items");
      assertThat(items.findValuesAsString("sequence")).startsWith("5", "4", "3");
      failed = items.path(items.size() - 1);
    }
    assertThat(failed.path("history").path(0).path("status").asInt()).isEqualTo(500);
    assertThat(failed.path("history").path(0).path("error").asString()).isEqualTo("HTTP 500");
    Reply shown = ask(ADMIN, "GET", "/v1/partners/{id}", "s1", Map.of(), "");
    assertThat(shown.json().path("waiting").asInt()).isEqualTo(2);
  }

  @Test
  void retryNow_whatWaitsIsSent_andIsInTheAudit() throws Exception {
    fleet.stop(running, Duration.ofSeconds(20));
    Map<String, String> patient = SqliteFleet.quick();
    patient.put("relay.retry-min", "1 h");
    patient.put("relay.retry-max", "1 h");
    Meters others = new Meters();
    Offloads places = new Offloads(others);
    routes = routes(fleet.start("n", false, patient), places);
    CountDownLatch refused = new CountDownLatch(2);
    fleet.server.behave(
        "/s1",
        (_, _) -> {
          refused.countDown();
          return 400; // it is there, so that nothing is tried early
        });
    put(ADMIN, "s1", body("shop", "/s1", Orders.SECRET));
    List<Delivery> all = List.of(fleet.whole("s1"), fleet.whole("s1"));
    refused.await();
    while (relays(Map.of("state", "waiting")).json().findValues("error").size() < 4) {
      LockSupport.parkNanos(5_000_000); // each has one, and so has its attempt
    }
    fleet.server.behave("/s1", (_, _) -> 200);
    Reply reply = ask(ADMIN, "POST", "/v1/partners/{id}/retry-now", "s1", Map.of(), "");
    assertThat(reply.status()).isEqualTo(202);
    assertThat(reply.json().path("deliveries").asInt()).isEqualTo(2);
    fleet.server.book("/s1").await(10);
    fleet.server.book("/s1").assertWhole(all);
    Reply nobody = ask(ADMIN, "POST", "/v1/partners/{id}/retry-now", "nobody", Map.of(), "");
    assertThat(nobody.refusal()).isEqualTo(Refusal.NOT_FOUND);
    places.close();
    others.close();
  }

  @Test
  void redeliver_sendsOnceMore_andSaysWhatBecameOfIt() throws Exception {
    put(ADMIN, "s1", body("shop", "/s1", Orders.SECRET));
    Delivery delivery = fleet.whole("s1");
    fleet.server.book("/s1").await(5);
    Reply told = redeliver(Webhook.id(delivery.id(), 2));
    assertThat(told.json().path("state").asString()).isEqualTo("told");
    assertThat(told.json().path("status").asInt()).isEqualTo(204);
    assertThat(fleet.server.book("/s1").repeats()).isEqualTo(1);
    assertThat(fleet.server.bodies.getLast()).contains("\"sequence\":2").contains("accepted");
    fleet.server.behave("/s1", (_, _) -> 404);
    Reply failed = redeliver(Webhook.id(delivery.id(), 2));
    assertThat(failed.status()).isEqualTo(200);
    assertThat(failed.json().path("state").asString()).isEqualTo("failed");
    assertThat(failed.json().path("error").asString()).isEqualTo("HTTP 404");
    assertThat(redeliver("x:1").field()).isEqualTo("relayId");
    assertThat(redeliver(delivery.id()).field()).isEqualTo("relayId");
    assertThat(redeliver(delivery.id() + ":9").refusal()).isEqualTo(Refusal.NOT_FOUND);
    Delivery others = fleet.create("s2", null);
    assertThat(redeliver(others.id() + ":1").refusal()).isEqualTo(Refusal.NOT_FOUND);
  }

  /** Partners that hang take the places of redeliveries, each only half, and nobody else's. */
  @Test
  void redeliver_toPartnersThatHang_isBounded_andLeavesTheOtherRoutesTheirPlaces()
      throws Exception {
    put(ADMIN, "s1", body("shop", "/s1", Orders.SECRET));
    put(ADMIN, "s2", body("shop", "/s2", Orders.SECRET));
    Delivery slow = fleet.whole("s1");
    Delivery fast = fleet.whole("s2");
    fleet.server.book("/s1").await(5);
    fleet.server.book("/s2").await(5);
    CountDownLatch over = new CountDownLatch(1);
    CountDownLatch hanging = new CountDownLatch(4);
    fleet.server.behave(
        "/s1",
        (_, _) -> {
          hanging.countDown();
          over.await();
          return 204;
        });
    List<TestExchange> asked = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      asked.add(redelivery("s1", Webhook.id(slow.id(), 2)));
    }
    assertThat(hanging.await(30, TimeUnit.SECONDS)).isTrue();

    assertThat(metric("gilmok_partners_in_flight")).isZero();
    assertThat(metric("gilmok_redeliveries_in_flight")).isEqualTo(4);
    assertThat(metric("gilmok_redeliveries_in_flight_max")).isEqualTo(8);
    for (int i = 0; i < 20; i++) {
      Reply more = redelivery("s1", Webhook.id(slow.id(), 2)).await();
      assertThat(more.refusal()).as("one partner has half of the places").isEqualTo(Refusal.BUSY);
    }
    Reply other = redelivery("s2", Webhook.id(fast.id(), 2)).await();
    assertThat(other.json().path("state").asString()).isEqualTo("told");
    assertThat(ask(ADMIN, "GET", "/v1/partners/{id}", "s1", Map.of(), "").status()).isEqualTo(200);

    over.countDown();
    for (TestExchange one : asked) {
      assertThat(one.await().json().path("state").asString()).isEqualTo("told");
    }
    assertThat(redelivery("s1", Webhook.id(slow.id(), 2)).await().status()).isEqualTo(200);
  }

  private TestExchange redelivery(String partner, String relayId) {
    TestExchange asking =
        new TestExchange(ADMIN, Map.of("id", partner, "relayId", relayId), Map.of(), "");
    route("POST", "/v1/partners/{id}/relays/{relayId}/redeliver").handler().handle(asking);
    return asking;
  }

  private double metric(String name) {
    return new String(meters.scrape(), StandardCharsets.UTF_8)
        .lines()
        .filter(one -> one.startsWith(name + " "))
        .mapToDouble(one -> Double.parseDouble(one.substring(one.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void replay_tellsEverythingSinceThen_onceMore() throws Exception {
    put(ADMIN, "s1", body("shop", "/s1", Orders.SECRET));
    Delivery delivery = fleet.whole("s1");
    fleet.server.book("/s1").await(5);
    fleet.server.secret("/s1", Orders.SECRET);
    fleet.server.behave("/replayed", (_, _) -> 200);
    put(ADMIN, "s1", body("shop", "/replayed", null));
    // Stopped first, so that every result is noted: a replay may leave out events being sent.
    fleet.stop(running, Duration.ofSeconds(20));
    Reply reply = replay("{\"from\":\"2020-01-01T00:00:00Z\"}");
    assertThat(reply.status()).isEqualTo(202);
    assertThat(reply.json().path("deliveries").asInt()).isEqualTo(1);
    fleet.start("n", false, SqliteFleet.quick());
    fleet.server.book("/replayed").await(5);
    fleet.server.book("/replayed").assertWhole(List.of(delivery));
    assertThat(replay("{\"from\":\"yesterday\"}").field()).isEqualTo("from");
    assertThat(replay("{\"since\":1}").field()).isEqualTo("since");
    assertThat(replay("no").refusal()).isEqualTo(Refusal.UNREADABLE);
    assertThat(fleet.partners.find(OutboxReader.SHOP, "s1")).isNotNull();
  }
}
