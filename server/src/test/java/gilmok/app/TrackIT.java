package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
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
    assertThat(look(url).body()).isEqualTo("{\"state\":\"preparing\"}");
    step(id, "pickup", "");
    assertThat(look(url).body()).isEqualTo("{\"state\":\"coming\",\"stopsBefore\":0}");
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
    assertThat(look(url).body()).isEqualTo("{\"state\":\"delivered\"}");
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
    String id = assigned("1");
    step(id, "pickup", "");
    position("r-1", 37.55, 127.05);
    String body = look(link(id)).body();
    assertThat(body).doesNotContain("r-1", "010", "shop-1", "\"A\"", "\"B\"", "37.6", id);
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
    assertThat(look("/track/none").status()).isEqualTo(404);
    restart();
    assertThat(look(url).body()).as("also after a restart").contains("preparing");
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
