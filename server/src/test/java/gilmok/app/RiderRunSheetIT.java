package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A rider's own run sheet, made from the open deliveries and the rider's position. */
@Tag("process")
final class RiderRunSheetIT extends DeliveryRig {
  private static final String PATH = "/v1/riders/r-1/run-sheet";

  private static String order(String orderId, double pickup, double dropoff, String more) {
    return ("{\"orderId\":\"%s\",\"shopId\":\"s\",\"pickup\":{\"lat\":%s,\"lon\":127,"
            + "\"address\":\"A\"},\"dropoff\":{\"lat\":%s,\"lon\":127,\"address\":\"B\"}%s}")
        .formatted(orderId, pickup, dropoff, more);
  }

  private String assign(String order) throws Exception {
    String id = created(order);
    assertThat(step(id, "accept", "").status()).isEqualTo(200);
    assertThat(step(id, "assign", "{\"riderId\":\"r-1\"}").status()).isEqualTo(200);
    return id;
  }

  private void seeAt(double lat) throws Exception {
    String body =
        "{\"riderId\":\"r-1\",\"at\":%d,\"lat\":%s,\"lon\":127}"
            .formatted(System.currentTimeMillis(), lat);
    assertThat(call("POST", "/v1/traces", body).status()).isEqualTo(202);
    server.awaitSeen();
  }

  private static List<String> stops(JsonNode sheet) {
    return sheet
        .path("stops")
        .valueStream()
        .map(stop -> stop.path("orderId").asString() + " " + stop.path("kind").asString())
        .toList();
  }

  @Test
  void sheet_isOfWhatIsOpen_fromWhereTheRiderIs() throws Exception {
    Reply idle = call("GET", PATH, "");
    assertThat(idle.status()).as(idle.body()).isEqualTo(200);
    assertThat(idle.json().path("stops").values()).isEmpty();
    String due = "\"" + Instant.now().plusSeconds(60) + "\"";
    String far = assign(order("far", 37.53, 37.54, ",\"dueBy\":" + due));
    String near = assign(order("near", 37.51, 37.52, ""));
    String done = assign(order("done", 37.6, 37.7, ""));
    created(order("nobodys", 37.6, 37.7, ""));
    assertThat(call("GET", PATH, "").status()).isEqualTo(404);
    seeAt(37.5);
    for (String step : List.of("pickup", "complete")) {
      assertThat(step(done, step, "").status()).isEqualTo(200);
    }
    JsonNode sheet = call("GET", PATH + "?budgetMs=5000", "").json();
    assertThat(stops(sheet))
        .containsExactly("near pickup", "near dropoff", "far pickup", "far dropoff");
    assertThat(sheet.path("optimal").asBoolean()).isTrue();
    assertThat(sheet.path("position").path("lat").asDouble()).isEqualTo(37.5);
    assertThat(sheet.path("late").values()).hasSize(1);
    assertThat(sheet.path("late").path(0).asString()).isEqualTo(far);
    List<Instant> arrivals =
        sheet
            .path("stops")
            .valueStream()
            .map(stop -> Instant.parse(stop.path("arriveAt").asString()))
            .toList();
    assertThat(arrivals).isSorted();
    assertThat(arrivals.getFirst()).isAfter(Instant.now());
    // 4.4 km with detours at 5 m/s, and three stops before the last.
    assertThat(arrivals.getLast())
        .isBetween(Instant.now().plusSeconds(1500), Instant.now().plusSeconds(1900));

    assertThat(step(near, "pickup", "").status()).isEqualTo(200);
    assertThat(stops(call("GET", PATH, "").json()))
        .containsExactly("near dropoff", "far pickup", "far dropoff");
  }

  @Test
  void question_thatIsWrong_isRefusedNamingIt() throws Exception {
    for (String field : List.of("objective", "budgetMs", "speed", "serviceTime")) {
      Reply reply = call("GET", PATH + "?" + field + "=x", "");
      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.at("/field")).isEqualTo(field);
    }
  }

  @Test
  void rider_seesOnlyItsOwn() throws Exception {
    String key = server.key("{\"name\":\"r\",\"scopes\":[\"read\"],\"rider\":\"r-1\"}");
    assertThat(callWith(key, "GET", PATH, "").status()).isEqualTo(200);
    assertThat(callWith(key, "GET", "/v1/riders/r-2/run-sheet", "").status()).isEqualTo(403);
    assertThat(callWith(key, "POST", "/v1/run-sheets", "{}").status()).isEqualTo(403);
    String blind = server.key("{\"name\":\"b\",\"scopes\":[\"collect\"]}");
    assertThat(callWith(blind, "GET", PATH, "").status()).isEqualTo(403);
  }
}
