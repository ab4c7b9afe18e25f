package gilmok.deliveries.relay;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.auth.Binding;
import gilmok.auth.Principal;
import gilmok.deliveries.Delivery;
import gilmok.http.Refusal;
import gilmok.http.Route;
import gilmok.http.TestExchange.Reply;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The routes of partners themselves. */
@Tag("server")
@Timeout(120)
class PartnerRoutesTest extends PartnerRoutesCase {
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
        "{'kind':'shop','url':'ftp://x'} | url | must begin with https:// unless its network is in relay.private-networks",
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
}
