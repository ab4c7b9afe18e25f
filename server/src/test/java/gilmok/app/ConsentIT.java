package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.EventStream.Event;
import gilmok.app.RunningServer.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * What a rider withholds is not collected, in whichever way it comes, and not shown, on whichever
 * route.
 */
@Tag("server")
final class ConsentIT extends PhoneRig {
  private final long now = System.currentTimeMillis();

  private Reply consent(String rider, String body) throws Exception {
    return server.send(server.adminKey(), "PUT", "/v1/riders/" + rider + "/consent", JSON, body);
  }

  private void offDuty(String rider) throws Exception {
    Reply reply = consent(rider, "{\"state\":\"off-duty\"}");
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
  }

  private String at(String rider, long at, double lat) {
    return "{\"riderId\":\"%s\",\"at\":%d,\"lat\":%s,\"lon\":127}".formatted(rider, at, lat);
  }

  private Reply post(String path, String body) throws Exception {
    return server.send(key, "POST", path, JSON, body);
  }

  @Test
  void consent_isWhatWasSaidLast_andSurvivesARestart() throws Exception {
    Reply none = server.get("/v1/riders/r/consent");
    assertThat(none.status()).isEqualTo(404);
    JsonNode put = consent("r", "{\"state\":\"withdrawn\"}").json();
    assertThat(put.get("state").asString()).isEqualTo("withdrawn");
    assertThat(put.get("purposes").size()).isEqualTo(3);
    assertThat(put.get("collected").asBoolean()).isFalse();
    JsonNode partly =
        consent("r", "{\"state\":\"granted\",\"purposes\":[\"dispatch\",\"customer\"]}").json();
    assertThat(partly.get("collected").asBoolean()).isTrue();
    server.close();
    server = RunningServer.start(data, settings());
    assertThat(server.get("/v1/riders/r/consent").json()).isEqualTo(partly);
    List<JsonNode> audited = new ArrayList<>();
    server.get("/v1/audit").json().get("items").forEach(audited::add);
    assertThat(audited)
        .filteredOn(one -> one.get("action").asString().equals("consent.changed"))
        .hasSize(2)
        .allMatch(one -> one.get("target").asString().equals("r"))
        .first()
        .matches(one -> one.get("before").get("state").asString().equals("withdrawn"));
  }

  @Test
  void wrongConsents_areRefused_withFieldAndReason() throws Exception {
    for (String body :
        List.of(
            "{}",
            "{\"state\":\"gone\"}",
            "{\"state\":\"granted\",\"purposes\":[]}",
            "{\"state\":\"granted\",\"purposes\":[\"sale\"]}",
            "{\"state\":\"granted\",\"purposes\":\"dispatch\"}",
            "{\"state\":\"granted\",\"till\":1}",
            "[]")) {
      assertThat(consent("r", body).status()).as(body).isEqualTo(400);
    }
    assertThat(consent("x".repeat(129), "{\"state\":\"granted\"}").status()).isEqualTo(400);
    assertThat(server.get("/v1/riders/r/consent").status()).isEqualTo(404);
  }

  @Test
  void keys_operateForAll_aBoundOneForItsOwn() throws Exception {
    String bound = server.key("{\"name\":\"b\",\"scopes\":[\"collect\"],\"rider\":\"mine\"}");
    String off = "{\"state\":\"off-duty\"}";
    assertThat(server.send(bound, "PUT", "/v1/riders/mine/consent", JSON, off).status())
        .isEqualTo(200);
    assertThat(server.send(bound, "GET", "/v1/riders/mine/consent", "", "").status())
        .isEqualTo(200);
    assertThat(server.send(bound, "PUT", "/v1/riders/other/consent", JSON, off).status())
        .isEqualTo(403);
    assertThat(server.send(key, "PUT", "/v1/riders/mine/consent", JSON, off).status())
        .as("neither bound nor for operating")
        .isEqualTo(403);
  }

  @Test
  void positions_areAnswered_counted_andNotStored() throws Exception {
    offDuty("off");
    consent("gone", "{\"state\":\"withdrawn\"}");
    long before = durable();
    Reply none = post("/v1/traces", at("off", now, 37));
    assertThat(none.status()).isEqualTo(202);
    assertThat(none.body())
        .isEqualTo(
            "{\"accepted\":0,\"duplicates\":0,\"quarantined\":[],\"notCollected\":1,"
                + "\"receipt\":null}");
    assertThat(durable()).isEqualTo(before);
    Reply some =
        post(
            "/v1/traces",
            "[%s,%s,%s,{\"riderId\":\"off\",\"at\":1,\"lat\":91,\"lon\":1},{\"riderId\":\"on\"}]"
                .formatted(at("off", now, 37), at("on", now, 37), at("gone", now, 37)));
    assertThat(some.status()).isEqualTo(202);
    assertThat(some.json().get("accepted").asInt()).isEqualTo(1);
    assertThat(some.json().get("notCollected").asInt()).isEqualTo(3);
    assertThat(some.json().get("quarantined").size()).isEqualTo(1);
    assertThat(some.json().get("quarantined").get(0).get("index").asInt()).isEqualTo(4);
    assertThat(durable()).as("one position, one in quarantine").isEqualTo(before + 2);
    assertThat(position("on").get("lat").asDouble()).isEqualTo(37);
    assertThat(server.get("/v1/riders/off/position").status()).isEqualTo(404);
    assertThat(server.get("/v1/quarantine").body()).doesNotContain("off");
    assertThat(
            metric("gilmok_collect_withheld_total{reason=\"off-duty\",what=\"record\"}")
                + metric("gilmok_collect_withheld_total{reason=\"withdrawn\",what=\"record\"}"))
        .isEqualTo(4);
    consent("off", "{\"state\":\"granted\"}");
    assertThat(post("/v1/traces", at("off", now + 1, 38)).json().get("accepted").asInt())
        .isEqualTo(1);
    assertThat(position("off").get("lat").asDouble()).isEqualTo(38);
  }

  @Test
  void brokenLines_mayBeTheirs() throws Exception {
    offDuty("off");
    long before = durable();
    String lines =
        at("off", now, 37)
            + "\n{\"riderId\" : \"off\",\"at\":1,\n{\"riderId\":\"on\",\"at\":1,\nnothing\n"
            + at("on", now, 37);
    Reply reply = post("/v1/traces", lines);
    assertThat(reply.json().get("accepted").asInt()).as(reply.body()).isEqualTo(1);
    assertThat(reply.json().get("notCollected").asInt()).isEqualTo(3);
    assertThat(reply.json().get("quarantined").size()).isEqualTo(1);
    assertThat(durable()).isEqualTo(before + 2);
    assertThat(server.get("/v1/quarantine").body()).doesNotContain("off").contains("on");
  }

  @Test
  void actionsAndLogs_areKept_withoutTheirPlace() throws Exception {
    offDuty("off");
    String action =
        "{\"riderId\":\"off\",\"at\":%d,\"type\":\"x\",\"lat\":37,\"lon\":127}".formatted(now);
    Reply reply = post("/v1/actions", action);
    assertThat(reply.json().get("accepted").asInt()).isEqualTo(1);
    assertThat(reply.json().get("notCollected")).isNull();
    String exported = server.get("/v1/exports/actions?limit=10").body();
    assertThat(exported).contains("\"off\"").doesNotContain("\"lat\"");
    String line =
        "{\"riderId\":\"off\",\"at\":%d,\"level\":\"info\",\"message\":\"m\"}".formatted(now);
    assertThat(post("/v1/logs", line).json().get("accepted").asInt()).isEqualTo(1);
  }

  @Test
  void phonesApps_areAnsweredAsTheyNeedIt_andNothingIsStored() throws Exception {
    tie("dev-1", "off", null);
    tie("anna-phone", "off", null);
    offDuty("off");
    long before = durable();
    assertThat(server.send(key, "GET", "/?id=dev-1&lat=1&lon=2", "", "").status()).isEqualTo(200);
    assertThat(server.send(key, "GET", "/?id=dev-1&lat=91&lon=2", "", "").status()).isEqualTo(200);
    assertThat(ownTracks("anna", "phone").body()).startsWith("[");
    assertThat(bearer("/overland", overland("off")).body()).isEqualTo("{\"result\":\"ok\"}");
    assertThat(durable()).isEqualTo(before);
    String bound = server.key("{\"name\":\"b\",\"scopes\":[\"collect\"],\"rider\":\"off\"}");
    long mine = durable();
    assertThat(server.send(bound, "POST", "/", JSON, "{broken").status()).isEqualTo(200);
    assertThat(server.send(bound, "POST", "/v1/traces", JSON, "[3]").status()).isEqualTo(400);
    assertThat(durable()).isEqualTo(mine);
    command("dev-1", "{\"type\":\"text\",\"text\":\"go home\"}");
    assertThat(server.send(key, "GET", "/?id=dev-1&lat=1&lon=2", "", "").body())
        .as("commands go down all the same")
        .isEqualTo("go home");
  }

  @Test
  void hidden_onEachRoute_atOnce() throws Exception {
    post("/v1/traces", "[" + at("a", now, 37) + "," + at("b", now, 37.0001) + "]");
    position("a");
    position("b");
    try (EventStream all = new EventStream(server, client, "");
        EventStream boxed = new EventStream(server, client, "bbox=120,30,130,40")) {
      assertThat(all.next(2)).extracting(Event::rider).containsExactlyInAnyOrder("a", "b");
      Event last = boxed.next(2).getLast();
      offDuty("a");
      for (EventStream one : List.of(all, boxed)) {
        Event left = one.next();
        assertThat(left.type()).isEqualTo("left");
        assertThat(left.rider()).isEqualTo("a");
      }
      try (EventStream resumed = new EventStream(server, client, "lastEventId=" + last.id());
          EventStream fresh = new EventStream(server, client, "")) {
        Event left = resumed.next();
        assertThat(left.type() + left.rider()).isEqualTo("lefta");
        assertThat(fresh.next().rider()).isEqualTo("b");
      }
    }
    assertThat(server.get("/v1/riders/a/position").status()).isEqualTo(404);
    assertThat(server.get("/v1/riders?near=37,127&radius=1000").body())
        .doesNotContain("\"a\"")
        .contains("\"b\"");
    assertThat(server.get("/v1/riders?bbox=120,30,130,40&limit=1").body()).contains("\"b\"");
    for (String what : List.of("trace", "trips", "stays")) {
      String day = "?from=" + (now - 60_000) + "&to=" + (now + 60_000);
      assertThat(server.get("/v1/riders/a/" + what + day).status()).as(what).isEqualTo(404);
      assertThat(server.get("/v1/riders/b/" + what + day).status()).as(what).isEqualTo(200);
    }
    tie("dev-a", "a", "g");
    tie("dev-b", "b", "g");
    String group = "/v1/groups/g/trace?from=" + (now - 60_000) + "&to=" + (now + 60_000);
    assertThat(server.get(group).body()).doesNotContain("\"a\"").contains("\"b\"");
    consent("a", "{\"state\":\"granted\"}");
    assertThat(server.get("/v1/riders/a/position").status()).isEqualTo(200);
    assertThat(server.get(group).body()).contains("\"a\"");
    consent("a", "{\"state\":\"withdrawn\",\"purposes\":[\"history\"]}");
    assertThat(server.get("/v1/riders/a/position").status()).isEqualTo(200);
    assertThat(server.get(group).body()).doesNotContain("\"a\"");
    assertThat(post("/v1/traces", at("a", now + 5, 37)).json().get("accepted").asInt())
        .isEqualTo(1);
  }

  @Test
  void replay_ofWhatWasSetAside_isNotCollectedEither() throws Exception {
    Reply reply =
        post(
            "/v1/traces",
            "[{\"riderId\":\"r\",\"at\":1,\"lat\":91,\"lon\":1}," + at("o", now, 1) + "]");
    assertThat(reply.json().get("quarantined").size()).isEqualTo(1);
    JsonNode item = server.get("/v1/quarantine").json().get("items").get(0);
    offDuty("r");
    String path = "/v1/quarantine/" + item.get("sequence").asLong() + "/replay";
    Reply replayed = server.post(path, at("r", now, 1));
    assertThat(replayed.status()).as(replayed.body()).isBetween(400, 499);
    assertThat(server.get("/v1/riders/r/position").status()).isEqualTo(404);
  }
}
