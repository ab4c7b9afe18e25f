package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Deliveries over HTTP, from order to door. */
@Tag("process")
final class DeliveriesIT extends DeliveryRig {
  @Test
  void aWholeLife_isMovedStepByStep_andLeavesItsEvents() throws Exception {
    Reply created =
        call(
            "POST",
            "/v1/deliveries",
            order("1", "shop-1", ",\"fee\":3500,\"dueBy\":\"2026-03-01T19:00:00+09:00\""));
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    String id = created.at("/id");
    long now = System.currentTimeMillis();
    assertThat(created.header("location")).isEqualTo("/v1/deliveries/" + id);
    assertThat(created.header("etag")).isEqualTo("\"1\"");
    assertThat(created.at("/status") + created.at("/currency") + created.at("/dueBy"))
        .isEqualTo("NEWKRW2026-03-01T10:00:00Z");
    assertThat(created.json().path("fee").asInt()).isEqualTo(3500);
    assertThat(step(id, "accept", "{\"agencyId\":\"agency-1\"}").at("/status"))
        .isEqualTo("ACCEPTED");
    assertThat(step(id, "assign", "{\"riderId\":\"r-1\"}").at("/riderId")).isEqualTo("r-1");
    assertThat(step(id, "assign", "{\"riderId\":\"r-2\"}").at("/riderId")).isEqualTo("r-2");
    assertThat(step(id, "pickup", "{\"lat\":37.5,\"lon\":127.0,\"at\":" + now + "}").at("/status"))
        .isEqualTo("PICKED_UP");
    Reply done =
        step(
            id,
            "complete",
            "{\"at\":1772355600000,\"proof\":{\"kind\":\"code\",\"code\":\"4711\"}}");
    assertThat(done.status()).as(done.body()).isEqualTo(200);
    assertThat(done.json()).isEqualTo(delivery(id));
    assertThat(done.at("/status") + done.at("/agencyId") + done.at("/proof/code"))
        .isEqualTo("COMPLETEDagency-14711");
    assertThat(done.json().path("version").asInt()).isEqualTo(6);
    assertThat(events(id))
        .containsExactly(
            "created/1", "accepted/2", "assigned/3", "assigned/4", "picked_up/5", "completed/6");
    JsonNode events = call("GET", "/v1/deliveries/" + id + "/events", "").json().path("items");
    JsonNode pickedUp = events.path(4);
    assertThat(Instant.parse(pickedUp.path("at").asString()).toEpochMilli()).isEqualTo(now);
    assertThat(pickedUp.has("claimedAt")).isFalse();
    JsonNode completed = events.path(5);
    assertThat(completed.path("claimedAt").asString()).isEqualTo("2026-03-01T09:00:00Z");
    assertThat(Instant.parse(completed.path("at").asString()))
        .isBetween(
            Instant.ofEpochMilli(now), Instant.parse(completed.path("recordedAt").asString()));
    assertThat(pickedUp.path("lat").asDouble()).isEqualTo(37.5);
    assertThat(pickedUp.path("by").asString()).startsWith("key:");
  }

  @Test
  void whatCannotHappen_is409_withWhatItIsNow() throws Exception {
    String id = created(order("1"));
    Reply early = step(id, "complete", "");
    assertThat(early.status()).isEqualTo(409);
    assertThat(early.header("content-type")).isEqualTo("application/problem+json");
    assertThat(early.at("/field") + early.at("/delivery/status") + early.at("/delivery/id"))
        .isEqualTo("statusNEW" + id);
    assertThat(early.json().at("/delivery/version").asInt()).isEqualTo(1);
    assertThat(step(id, "fail", "").status()).isEqualTo(409);
    assertThat(step(id, "unassign", "").status()).isEqualTo(409);
    assertThat(step(id, "decline", "{\"reason\":\"too far\"}").at("/reason")).isEqualTo("too far");
    assertThat(step(id, "accept", "").at("/delivery/status")).isEqualTo("DECLINED");
    String failed = assigned("2");
    assertThat(step(failed, "fail", "{\"reason\":\"nobody there\"}").at("/status"))
        .isEqualTo("FAILED");
    assertThat(step(failed, "complete", "").at("/delivery/status")).isEqualTo("FAILED");
    String cancelled = created(order("3"));
    assertThat(step(cancelled, "cancel", "").at("/status")).isEqualTo("CANCELLED");
    assertThat(server.metric("gilmok_deliveries_steps_total{outcome=\"state\",step=\"complete\"}"))
        .isEqualTo(2);
  }

  @Test
  void ifMatch_guardsTheVersion() throws Exception {
    String id = created(order("1"));
    Reply stale = step(id, "accept", "", "If-Match", "\"2\"");
    assertThat(stale.status()).isEqualTo(412);
    assertThat(stale.at("/field")).isEqualTo("If-Match");
    assertThat(stale.at("/title")).isEqualTo("Precondition Failed");
    assertThat(stale.json().at("/delivery/version").asInt()).isEqualTo(1);
    assertThat(step(id, "accept", "", "If-Match", "\"1\"").status()).isEqualTo(200);
    assertThat(step(id, "assign", "{\"riderId\":\"r\"}", "If-Match", "2").status()).isEqualTo(200);
    assertThat(step(id, "pickup", "", "If-Match", "W/\"3\"").status()).isEqualTo(200);
    for (String bad : List.of("W/4", "W/\"\"", "\"\"", "four", "-4", "0")) {
      Reply refused = step(id, "complete", "", "If-Match", bad);
      assertThat(refused.status()).as(bad).isEqualTo(400);
      assertThat(refused.at("/field")).isEqualTo("If-Match");
    }
  }

  /** Found bug: an assign that was sent again told partners twice. */
  @Test
  void transitionSentAgain_withItsKey_hasTheFirstAnswer_andHappensOnce() throws Exception {
    String id = created(order("1"));
    String key = "Idempotency-Key";
    assertThat(step(id, "accept", "", key, "k1").status()).isEqualTo(200);
    String rider = "{\"riderId\":\"r-7\"}";
    Reply first = step(id, "assign", rider, key, "k2", "If-Match", "\"2\"");
    assertThat(step(id, "pickup", "").status()).isEqualTo(200);
    for (int i = 0; i < 3; i++) {
      Reply again = step(id, "assign", rider, key, "k2", "If-Match", "\"2\"");
      assertThat(again.status()).as(again.body()).isEqualTo(200);
      assertThat(again.json()).isEqualTo(first.json());
    }
    Reply otherBody = step(id, "assign", "{\"riderId\":\"r-8\"}", key, "k2");
    assertThat(otherBody.status()).isEqualTo(422);
    assertThat(otherBody.at("/field")).isEqualTo(key);
    assertThat(step(id, "complete", "", key, "k2").status()).isEqualTo(422);
    for (String bad : List.of("", "a b", "x".repeat(256))) {
      Reply refused = step(id, "complete", "", key, bad);
      assertThat(refused.status()).as(bad).isEqualTo(400);
      assertThat(refused.at("/field")).isEqualTo(key);
    }
    JsonNode events = server.get("/v1/deliveries/" + id + "/events").json().path("items");
    assertThat(events).hasSize(4);
    assertThat(events.toString()).doesNotContain("source", "once");
    // What was refused may be asked for again: the key is used by what happens.
    assertThat(step(id, "decline", "", key, "k3").status()).isEqualTo(409);
    assertThat(step(id, "complete", "", key, "k3").status()).isEqualTo(200);
    assertThat(server.metric("gilmok_deliveries_steps_total{outcome=\"repeated\",step=\"assign\"}"))
        .isEqualTo(3);
  }

  @Test
  void wrongBodies_are400_namingFieldAndReason() throws Exception {
    String good = order("1");
    refuses(good.replace("\"orderId\":\"1\",", ""), "orderId", "missing");
    refuses(good.replace("\"1\"", "1"), "orderId", "not a string");
    refuses(good.replace("37.6", "97.6"), "dropoff.lat", "out of range");
    refuses(good.replace("37.6", "\"x\""), "dropoff.lat", "not a number");
    refuses(good.replace("\"address\":\"A\"", "\"address\":\" \""), "pickup.address", "empty");
    refuses(good.replace("\"A\"", "\"A\",\"door\":1"), "pickup.door", "is not a field of this");
    refuses(good.replace("\"shopId\"", "\"orderId\":\"1\",\"shopId\""), "orderId", "given twice");
    refuses(order("1", "s", ",\"fee\":1.5"), "fee", "not a whole number from 0 on");
    for (String fee : List.of("1000000000001", "9007199254740991", "99999999999999999999")) {
      refuses(order("1", "s", ",\"fee\":" + fee), "fee", "out of range"); // no entry could hold it
    }
    refuses(order("1", "s", ",\"currency\":\"KRW\""), "currency", "only with fee");
    refuses(
        order("1", "s", ",\"fee\":1,\"currency\":\"XXY\""), "currency", "not a code of ISO 4217");
    refuses(order("1", "s", ",\"readyAt\":\"soon\""), "readyAt", "not a time");
    refuses(order("\\u0001", "s", ""), "orderId", "control character");
    assertThat(call("POST", "/v1/deliveries", "{\"orderId\":").at("/type"))
        .isEqualTo("/docs/errors#unreadable");
    String id = created(good);
    assertThat(step(id, "accept", "[]").status()).isEqualTo(400);
    assertThat(step(id, "accept", "{\"riderId\":\"r\"}").at("/field")).isEqualTo("riderId");
    assertThat(step(id, "assign", "").at("/field")).isEqualTo("riderId");
    assertThat(step(id, "accept", "{\"lat\":1}").at("/field")).isEqualTo("lon");
    assertThat(step(id, "complete", "{\"proof\":{\"kind\":\"photo\"}}").at("/field"))
        .isEqualTo("proof.sha256");
    assertThat(delivery(id).path("version").asInt()).isEqualTo(1);
  }

  private void refuses(String order, String field, String reason) throws Exception {
    Reply reply = call("POST", "/v1/deliveries", order);
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.at("/field") + ": " + reply.at("/reason")).isEqualTo(field + ": " + reason);
  }

  @Test
  void unknownIds_are404() throws Exception {
    String id = created(order("1"));
    String other = (id.endsWith("0") ? "1" : "0");
    for (String unknown : List.of("x", id.substring(0, 25) + other, id + "0")) {
      assertThat(call("GET", "/v1/deliveries/" + unknown, "").status()).isEqualTo(404);
      assertThat(call("GET", "/v1/deliveries/" + unknown + "/events", "").status()).isEqualTo(404);
      assertThat(step(unknown, "accept", "").at("/field")).isEqualTo("id");
    }
    assertThat(step(id, "explode", "").status()).isEqualTo(404);
  }

  @Test
  void lists_arePagedNewestFirst_andFiltered() throws Exception {
    List<String> ids = new ArrayList<>();
    List<String> odd = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      String id = created(order("" + i, i % 2 == 0 ? "even" : "odd", ""));
      ids.add(id);
      if (i % 2 == 1) {
        odd.add(id);
      }
    }
    // The list is in the order of ids, which need not be that of creation within a millisecond.
    ids.sort(Comparator.reverseOrder());
    odd.sort(Comparator.reverseOrder());
    step(ids.getFirst(), "accept", "{\"agencyId\":\"agency-9\"}");
    List<String> paged = new ArrayList<>();
    String next = "";
    do {
      Reply page = call("GET", "/v1/deliveries?limit=3" + next, "");
      page.json().path("items").forEach(item -> paged.add(item.path("id").asString()));
      JsonNode cursor = page.json().path("next");
      next = cursor.isNull() ? "" : "&cursor=" + cursor.asString();
      if (paged.size() == 3) {
        created(order("between"));
      }
    } while (!next.isEmpty());
    assertThat(paged).isEqualTo(ids);
    assertThat(listed("shopId=odd")).isEqualTo(odd);
    assertThat(listed("agencyId=agency-9&status=ACCEPTED")).containsExactly(ids.getFirst());
    assertThat(listed("from=2020-01-01T00:00:00Z&to=2021-01-01T00:00:00Z")).isEmpty();
    for (String bad :
        List.of("limit=0", "limit=1001", "cursor=x", "status=new", "from=now", "to=-1")) {
      Reply reply = call("GET", "/v1/deliveries?" + bad, "");
      assertThat(reply.status()).as(bad).isEqualTo(400);
      assertThat(reply.at("/field")).isEqualTo(bad.split("=", -1)[0]);
    }
  }

  private List<String> listed(String query) throws Exception {
    return call("GET", "/v1/deliveries?" + query, "")
        .json()
        .path("items")
        .valueStream()
        .map(item -> item.path("id").asString())
        .toList();
  }

  @Test
  void everythingIsThere_afterARestart() throws Exception {
    String id = assigned("1");
    JsonNode before = delivery(id);
    List<String> events = events(id);
    String key = "Idempotency-Key";
    Reply created = call("POST", "/v1/deliveries", order("2"), key, "k");
    restart();
    assertThat(delivery(id)).isEqualTo(before);
    assertThat(events(id)).isEqualTo(events);
    assertThat(call("POST", "/v1/deliveries", order("2"), key, "k").body())
        .isEqualTo(created.body());
    assertThat(call("POST", "/v1/deliveries", order("1")).status()).isEqualTo(409);
    assertThat(step(id, "pickup", "").at("/status")).isEqualTo("PICKED_UP");
  }
}
