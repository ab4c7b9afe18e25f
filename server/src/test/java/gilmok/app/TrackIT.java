package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.storage.SecretFile;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What customers see over HTTP, from the link until the delivery. */
@Tag("process")
class TrackIT extends DeliveryRig {
  private static final String JSON = "application/json";

  private String link(String id) throws Exception {
    Reply reply = call("POST", "/v1/deliveries/" + id + "/track", "");
    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    assertThat(Instant.parse(reply.at("/expiresAt"))).isAfter(Instant.now());
    return reply.at("/url");
  }

  private String key(String shop) throws Exception {
    return server.key("{\"name\":\"s\",\"scopes\":[\"operate\"],\"shop\":\"%s\"}".formatted(shop));
  }

  private Reply look(String url) throws Exception {
    return callWith("", "GET", url, "", "Accept", JSON);
  }

  private void position(String rider, double lat, double lon) throws Exception {
    String trace =
        "{\"riderId\":\"%s\",\"at\":%d,\"lat\":%s,\"lon\":%s}"
            .formatted(rider, System.currentTimeMillis(), lat, lon);
    assertThat(call("POST", "/v1/traces", trace).status()).isEqualTo(202);
    Program.await(() -> call("GET", "/v1/riders/" + rider + "/position", "").status() == 200);
  }

  @Test
  void aDelivery_isSeenFromShopToDoor() throws Exception {
    String id = assigned("1");
    String url = link(id);
    assertThat(look(url).body())
        .startsWith("{\"state\":\"preparing\",\"steps\":[{\"step\":\"ordered\"");
    assertThat(steps(look(url))).containsExactly("ordered", "accepted");
    assertThat(look(url).body()).as("no place before it is needed").doesNotContain("lat", "lon");
    step(id, "pickup", "");
    assertThat(steps(look(url))).containsExactly("ordered", "accepted", "picked_up");
    assertThat(look(url).body())
        .endsWith(
            ",\"stopsBefore\":0,\"shop\":{\"lat\":37.5,\"lon\":127},"
                + "\"door\":{\"lat\":37.6,\"lon\":127.1}}");
    position("r-1", 37.55123456, 127.05);
    JsonNode coming = look(url).json();
    assertThat(coming.at("/rider/lat").asDouble()).as("some ten metres").isEqualTo(37.5512);
    Instant expected = Instant.parse(coming.at("/arrival/expected").asString());
    // Seven kilometres with a detour, at five metres a second.
    assertThat(Duration.between(Instant.now(), expected))
        .isBetween(Duration.ofMinutes(20), Duration.ofMinutes(45));
    assertThat(Instant.parse(coming.at("/arrival/earliest").asString())).isBefore(expected);
    assertThat(Instant.parse(coming.at("/arrival/latest").asString())).isAfter(expected);
    step(id, "complete", "");
    JsonNode delivered = look(url).json();
    assertThat(delivered.propertyNames()).containsExactly("state", "steps");
    assertThat(delivered.path("state").asString()).isEqualTo("delivered");
    assertThat(steps(look(url))).containsExactly("ordered", "accepted", "picked_up", "delivered");
    List<Instant> times =
        delivered
            .path("steps")
            .valueStream()
            .map(step -> Instant.parse(step.path("at").asString()))
            .toList();
    assertThat(times).isSorted().allMatch(at -> !at.isAfter(Instant.now()));
    assertThat(times.getFirst().toString()).isEqualTo(delivery(id).path("createdAt").asString());
  }

  private static List<String> steps(Reply reply) {
    return reply
        .json()
        .path("steps")
        .valueStream()
        .map(one -> one.path("step").asString())
        .toList();
  }

  @Test
  void late_isWhatIsOrWillBeAfterItWasDue() throws Exception {
    String past = ",\"dueBy\":\"%s\"".formatted(Instant.now().minusSeconds(60));
    String soon = ",\"dueBy\":\"%s\"".formatted(Instant.now().plusSeconds(300));
    String late = created(order("1", "shop-1", past));
    assertThat(look(link(late)).json().path("late").asBoolean()).isTrue();
    String id = created(order("2", "shop-1", soon));
    String url = link(id);
    assertThat(look(url).json().has("late")).isFalse();
    step(id, "accept", "");
    step(id, "assign", "{\"riderId\":\"r-1\"}");
    step(id, "pickup", "");
    assertThat(look(url).json().has("late")).isFalse();
    position("r-1", 37.55, 127.05);
    assertThat(look(url).json().path("late").asBoolean()).as("it takes 20 minutes").isTrue();
    step(id, "complete", "");
    assertThat(look(url).json().has("late")).isFalse();
  }

  @Test
  void whatTheRiderBringsBefore_isAStop() throws Exception {
    String first = assigned("1");
    String second = assigned("2");
    step(first, "pickup", "");
    step(second, "pickup", "");
    position("r-1", 37.55, 127.05);
    assertThat(look(link(first)).json().path("stopsBefore").asInt()).isZero();
    assertThat(look(link(second)).json().path("stopsBefore").asInt()).isEqualTo(1);
    step(first, "complete", "");
    assertThat(look(link(second)).json().path("stopsBefore").asInt()).isZero();
  }

  @Test
  void nothingPersonal_isInIt() throws Exception {
    String exact =
        order("1")
            .replace("37.5,", "37.51234567,")
            .replace("37.6,", "37.61234567,")
            .replace("127.1,", "127.11234567,");
    String id = created(exact);
    step(id, "accept", "");
    step(id, "assign", "{\"riderId\":\"r-1\"}");
    step(id, "pickup", "");
    position("r-1", 37.55, 127.05);
    String body = look(link(id)).body();
    assertThat(body).doesNotContain("r-1", "010", "shop-1", "\"A\"", "\"B\"", id);
    assertThat(body).contains("37.5123,", "37.6123,", "127.1123}").doesNotContain("1234567");
    Reply page = callWith("", "GET", link(id), "", "Accept", "text/html");
    assertThat(page.body()).doesNotContain("r-1", "010", "shop-1", id);
  }

  @Test
  void whatWillNotCome_isSaid() throws Exception {
    String id = created(order("1"));
    String url = link(id);
    step(id, "cancel", "{\"reason\":\"changed my mind\"}");
    assertThat(look(url).body()).isEqualTo("{\"state\":\"ended\"}");
  }

  @Test
  void links_areOnlyThoseThatWereGiven() throws Exception {
    String url = link(created(order("1")));
    Reply page = callWith("", "GET", url, "", "Accept", "text/html");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("Content-Type")).startsWith("text/html");
    assertThat(page.header("Referrer-Policy")).contains("no-referrer");
    String forged = url.substring(0, url.length() - 1) + (url.endsWith("A") ? "Q" : "A");
    for (String accept : new String[] {JSON, "text/html"}) {
      assertThat(callWith("", "GET", forged, "", "Accept", accept).status()).isEqualTo(404);
    }
    for (String cut : List.of("/track/none", "/track/", "/track")) {
      Reply refused = look(cut);
      assertThat(refused.status()).as(cut).isEqualTo(404);
      assertThat(refused.at("/field") + ": " + refused.at("/reason"))
          .isEqualTo("token: no such link");
    }
    for (String cut : List.of("/track/none", url.substring(0, url.length() - 9), url + ".")) {
      assertRefusedPage(cut, "", 404, "<html lang=\"en\">", "does not work", "a new link");
      assertRefusedPage(cut, "ko-KR,ko;q=0.9,en;q=0.8", 404, "<html lang=\"ko\">", "새 링크를 요청");
    }
    restart();
    assertThat(look(url).body()).as("also after a restart").contains("preparing");
  }

  @Test
  void links_thatHaveExpired_saySo_inTheReadersLanguage() throws Exception {
    String id = created(order("1"));
    byte[] secret = SecretFile.of(data.resolve("track.secret"), 32, new Random());
    String url = signed(id, Instant.now().getEpochSecond() + 60, secret);
    assertThat(look(url).status()).as("as the server signs").isEqualTo(200);
    String expired = signed(id, Instant.now().getEpochSecond() - 1, secret);
    assertRefusedPage(expired, "en-GB", 410, "<html lang=\"en\">", "has expired", "a new link");
    assertRefusedPage(expired, "ko", 410, "<html lang=\"ko\">", "만료된 링크", "새 링크를 요청");
    Reply json = look(expired);
    assertThat(json.status()).isEqualTo(410);
    assertThat(json.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(json.at("/detail") + " " + json.at("/reason"))
        .isEqualTo("This is no longer available. the link has expired");
    assertThat(server.metric("gilmok_http_refusals_total{refusal=\"gone\"}")).isEqualTo(3);
  }

  private void assertRefusedPage(String url, String language, int status, String... texts)
      throws Exception {
    String[] headers = {"Accept", "text/html,*/*;q=0.8", "Accept-Language", language};
    Reply page =
        callWith("", "GET", url, "", language.isEmpty() ? Arrays.copyOf(headers, 2) : headers);
    assertThat(page.status()).as(url).isEqualTo(status);
    assertThat(page.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(page.header("Content-Security-Policy"))
        .startsWith("default-src 'none'")
        .doesNotContain("unsafe", "http");
    assertThat(page.header("Referrer-Policy")).contains("no-referrer");
    assertThat(page.header("Cache-Control")).isEqualTo("no-store");
    assertThat(page.body())
        .contains(texts)
        .doesNotContain("{", "<script", "http:", "https:", url.substring("/track/".length()))
        .hasSizeLessThan(1500);
  }

  /** A link as the server makes it, for a time of our own. */
  private static String signed(String id, long expirySeconds, byte[] secret) throws Exception {
    String claims = id + "." + Long.toString(expirySeconds, 36);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret, "HmacSHA256"));
    byte[] all = mac.doFinal(("gilmok track 1 " + claims).getBytes(StandardCharsets.UTF_8));
    return "/track/"
        + claims
        + "."
        + Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(all, 16));
  }

  @Test
  void links_areMadeByWhoMaySee() throws Exception {
    String id = created(order("1"));
    String other = key("shop-2");
    String own = key("shop-1");
    String path = "/v1/deliveries/" + id + "/track";
    assertThat(callWith(other, "POST", path, "").status()).isEqualTo(403);
    assertThat(callWith(own, "POST", path, "").status()).isEqualTo(201);
    assertThat(callWith("", "POST", path, "").status()).isEqualTo(401);
    String unknown = "/v1/deliveries/01kjs2v5h8q0x3f7n9w4c6t1az/track";
    assertThat(call("POST", unknown, "").status()).isEqualTo(404);
    assertThat(call("POST", "/v1/deliveries/x/track", "").status()).isEqualTo(404);
  }
}
