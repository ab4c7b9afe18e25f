package gilmok.deliveries.relay;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.audit.AuditRig;
import gilmok.auth.Binding;
import gilmok.auth.Principal;
import gilmok.auth.Scope;
import gilmok.deliveries.Delivery;
import gilmok.deliveries.Outbox.Reader;
import gilmok.http.Offloads;
import gilmok.http.Refusal;
import gilmok.http.Route;
import gilmok.http.TestExchange;
import gilmok.http.TestExchange.Reply;
import gilmok.observe.Meters;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The routes, over a real database and a partner over real HTTP. */
@Tag("server")
@Timeout(120)
class PartnerRoutesTest {
  private static final Principal ADMIN = key(null);

  @TempDir Path folder;
  private final Meters meters = new Meters();
  private final Offloads offloads = new Offloads(meters);
  private SqliteFleet fleet;
  private SqliteFleet.Running running;
  private List<Route> routes;
  private AuditRig audited;

  @BeforeEach
  void begin() throws Exception {
    fleet = new SqliteFleet(folder);
    running = fleet.start("n", false, SqliteFleet.quick());
    audited = new AuditRig(folder.resolve("audited"));
    routes =
        new PartnerRoutes(running.relay(), fleet.deliveries, audited.audit, fleet.clock, offloads)
            .routes();
  }

  @AfterEach
  void end() throws Exception {
    fleet.close();
    audited.close();
    offloads.close();
    meters.close();
  }

  @Test
  void put_new_isThere_andItsSecretIsNeverShown() throws Exception {
    Reply made = put(ADMIN, "s1", body("shop", "/s1", Orders.SECRET));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    Reply again = put(ADMIN, "s1", body("shop", "/other", null));
    assertThat(again.status()).isEqualTo(200);
    Reply shown = ask(ADMIN, "GET", "/v1/partners/{id}", "s1", Map.of(), "");
    for (Reply reply : List.of(made, again, shown)) {
      assertThat(reply.body()).doesNotContain("whsec_").doesNotContain("MfKQ9r8G");
      JsonNode json = reply.json();
      assertThat(json.path("id").asString()).isEqualTo("s1");
      assertThat(json.path("kind").asString()).isEqualTo("shop");
      assertThat(json.path("events").toString()).isEqualTo("[\"*\"]");
      assertThat(json.path("secrets").asInt()).isEqualTo(1);
      assertThat(json.path("breaker").asString()).isEqualTo("closed");
    }
    assertThat(shown.json().path("url").asString()).isEqualTo(fleet.server.url("/other"));
  }

  @Test
  void put_oneThatCannotBeRead_mendsIt() throws Exception {
    fleet.shop("s1");
    fleet.damageShop("s1");
    assertThat(ask(ADMIN, "GET", "/v1/partners/{id}", "s1", Map.of(), "").refusal())
        .isEqualTo(Refusal.BROKEN);

    assertThat(put(ADMIN, "s1", body("shop", "/s1", Orders.SECRET)).status()).isEqualTo(201);

    assertThat(ask(ADMIN, "GET", "/v1/partners/{id}", "s1", Map.of(), "").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[] | body | not a JSON object",
        "{ | body | not a JSON object",
        "{'kind':'rider'} | kind | must be shop or agency",
        "{'kind':'shop'} | url | needs a text",
        "{'kind':'shop','url':'ftp://x'} | url | must begin with https://",
        "{'kind':'shop','url':'https://e.com','secret':'abc'} | secret | must begin with whsec_",
        "{'kind':'shop','url':'https://e.com','secret':7} | secret | needs a text",
        "{'kind':'shop','url':'https://e.com','events':'*'} | events | needs a list",
        "{'kind':'shop','url':'https://e.com','events':['x']} | events | each must be * or a type"
            + " such as delivery.accepted",
        "{'kind':'shop','url':'https://e.com','events':['*','delivery.failed']} | events | must"
            + " have * alone",
        "{'kind':'shop','url':'https://e.com','events':['*']} | secret | a new partner needs one",
        "{'kind':'shop','uri':'https://e.com'} | uri | is not a field of a partner",
      })
  void put_wrong_saysWhatAndWhy(String body, String field, String reason) throws Exception {
    Reply reply = put(ADMIN, "s1", body.replace('\'', '"'));
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.field()).isEqualTo(field);
    assertThat(reply.body()).isEqualTo(reason);
  }

  @Test
  void boundKeys_seeAndSetTheirOwnOnly() throws Exception {
    Principal shop = key(new Binding(Binding.Kind.SHOP, "s1"));
    Principal otherShop = key(new Binding(Binding.Kind.SHOP, "s2"));
    Principal agency = key(new Binding(Binding.Kind.AGENCY, "s1"));
    Principal rider = key(new Binding(Binding.Kind.RIDER, "s1"));
    assertThat(put(shop, "s1", body("shop", "/s1", Orders.SECRET)).status()).isEqualTo(201);
    Delivery delivery = fleet.whole("s1");
    fleet.server.book("/s1").await(5);
    String relayId = Webhook.id(delivery.id(), 1);
    for (Principal other : List.of(otherShop, agency, rider)) {
      assertThat(put(other, "s1", body("shop", "/s1", Orders.SECRET)).refusal())
          .isEqualTo(Refusal.NOT_YOURS);
      for (Route route : routes) {
        if (!route.method().equals("PUT")) {
          Reply reply =
              ask(
                  other,
                  route,
                  relayId,
                  "s1",
                  Map.of("kind", "shop"),
                  "{\"from\":\"2026-01-01T00:00:00Z\"}");
          assertThat(reply.refusal()).as(route.path()).isEqualTo(Refusal.NOT_YOURS);
        }
      }
    }
    for (Route route : routes) {
      if (!route.method().equals("PUT")) {
        Reply reply =
            ask(shop, route, relayId, "s1", Map.of(), "{\"from\":\"2026-01-01T00:00:00Z\"}");
        assertThat(reply.refusal()).as(route.path()).isNull();
      }
    }
  }

  @Test
  void find_ofTwoKinds_hasToBeSaid() throws Exception {
    put(ADMIN, "x", body("shop", "/x", Orders.SECRET));
    put(ADMIN, "x", body("agency", "/y", Orders.SECRET));
    Reply either = ask(ADMIN, "GET", "/v1/partners/{id}", "x", Map.of(), "");
    assertThat(either.field()).isEqualTo("kind");
    Reply agency = ask(ADMIN, "GET", "/v1/partners/{id}", "x", Map.of("kind", "agency"), "");
    assertThat(agency.json().path("url").asString()).endsWith("/y");
    Reply wrong = ask(ADMIN, "GET", "/v1/partners/{id}", "x", Map.of("kind", "no"), "");
    assertThat(wrong.refusal()).isEqualTo(Refusal.INVALID);
    Reply nobody = ask(ADMIN, "GET", "/v1/partners/{id}", "nobody", Map.of(), "");
    assertThat(nobody.refusal()).isEqualTo(Refusal.NOT_FOUND);
  }

  @Test
  void secrets_areReplacedWithoutAGap() throws Exception {
    put(ADMIN, "s1", body("shop", "/s1", Orders.SECRET));
    fleet.whole("s1");
    fleet.server.book("/s1").await(5);
    Reply rotated = put(ADMIN, "s1", body("shop", "/s1", Orders.OTHER_SECRET));
    assertThat(rotated.json().path("secrets").asInt()).isEqualTo(2);
    fleet.whole("s1");
    fleet.server.book("/s1").await(10);
    fleet.server.secret("/s1", Orders.OTHER_SECRET);
    fleet.whole("s1");
    fleet.server.book("/s1").await(15);
    assertThat(fleet.server.unsigned).isEmpty();
  }

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
    assertThat(fleet.partners.find(Reader.SHOP, "s1")).isNotNull();
  }

  private Reply put(Principal who, String id, String body) throws Exception {
    return ask(who, "PUT", "/v1/partners/{id}", id, Map.of(), body);
  }

  private Reply relays(Map<String, String> query) throws Exception {
    return ask(ADMIN, "GET", "/v1/partners/{id}/relays", "s1", query, "");
  }

  private Reply redeliver(String relayId) throws Exception {
    return ask(
        ADMIN,
        route("POST", "/v1/partners/{id}/relays/{relayId}/redeliver"),
        relayId,
        "s1",
        Map.of(),
        "");
  }

  private Reply replay(String body) throws Exception {
    return ask(ADMIN, "POST", "/v1/partners/{id}/replay", "s1", Map.of(), body);
  }

  private Reply ask(
      Principal who, String method, String path, String id, Map<String, String> query, String body)
      throws Exception {
    return ask(who, route(method, path), "", id, query, body);
  }

  private static Reply ask(
      Principal who, Route route, String relayId, String id, Map<String, String> query, String body)
      throws Exception {
    TestExchange asking = new TestExchange(who, Map.of("id", id, "relayId", relayId), query, body);
    route.handler().handle(asking);
    return asking.await();
  }

  private Route route(String method, String path) {
    return routes.stream()
        .filter(one -> one.method().equals(method) && one.path().equals(path))
        .findFirst()
        .orElseThrow();
  }

  private String body(String kind, String path, @Nullable String secret) {
    return "{\"kind\":\""
        + kind
        + "\",\"url\":\""
        + fleet.server.url(path)
        + "\",\"events\":[\"*\"]"
        + (secret == null ? "" : ",\"secret\":\"" + secret + "\"")
        + "}";
  }

  private static Principal key(@Nullable Binding binding) {
    return new Principal("k", "key", Set.of(Scope.OPERATE), binding);
  }
}
