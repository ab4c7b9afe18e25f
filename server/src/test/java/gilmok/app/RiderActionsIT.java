package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Actions from riders' phones move deliveries, and the log gets every event. */
@Tag("process")
final class RiderActionsIT extends DeliveryRig {
  @Override
  String[] settings() {
    return new String[] {"sinks.enabled=files", "sinks.files.file-age-max=10ms"};
  }

  private static double acted(RunningServer server, String outcome) throws Exception {
    return server.metric("gilmok_deliveries_actions_total{outcome=\"" + outcome + "\"}");
  }

  @Test
  void actions_moveTheirRidersDelivery() throws Exception {
    String id = assigned("1");
    act("r-1", id, "pickup", ",\"lat\":37.5,\"lon\":127.0");
    act("r-1", id, "complete", ",\"attributes\":{\"proof\":{\"kind\":\"code\",\"code\":\"7\"}}");
    Program.await(() -> delivery(id).path("status").asString().equals("COMPLETED"));
    assertThat(delivery(id).at("/proof/code").asString()).isEqualTo("7");
    assertThat(events(id))
        .containsExactly("created/1", "accepted/2", "assigned/3", "picked_up/4", "completed/5");
    JsonNode event = call("GET", "/v1/deliveries/" + id + "/events", "").json().at("/items/3");
    assertThat(event.path("by").asString()).isEqualTo("rider:r-1");
    assertThat(event.path("source").asString()).matches("[0-9a-z]+:\\d+");
    assertThat(event.path("lat").asDouble()).isEqualTo(37.5);
  }

  @Test
  void early_waits_late_isNoted_repeated_isOne() throws Exception {
    String id = assigned("1");
    act("r-1", id, "complete", ",\"id\":\"c\"");
    awaitActions();
    Program.await(() -> acted(server, "waiting") == 1);
    assertThat(delivery(id).path("status").asString()).isEqualTo("ASSIGNED");
    act("r-1", id, "pickup", ",\"id\":\"p\"");
    Program.await(() -> delivery(id).path("status").asString().equals("COMPLETED"));
    act("r-1", id, "pickup", ",\"id\":\"p2\"");
    Program.await(() -> acted(server, "late") == 1);
    assertThat(events(id))
        .containsExactly(
            "created/1", "accepted/2", "assigned/3", "picked_up/4", "completed/5", "picked_up/0");
    assertThat(delivery(id).path("version").asInt()).isEqualTo(5);
  }

  @Test
  void othersActions_andWhatIsNone_moveNothing() throws Exception {
    String id = assigned("1");
    act("r-2", id, "pickup", "");
    act("r-1", id, "cancel", "");
    act("r-1", id, "dance", "");
    act("r-1", "ours-17", "pickup", "");
    act("r-1", id.substring(0, 20) + "zzzzzz", "pickup", "");
    act("r-1", id, "pickup", "");
    Program.await(() -> delivery(id).path("status").asString().equals("PICKED_UP"));
    assertThat(acted(server, "ignored")).isEqualTo(2);
    assertThat(acted(server, "unknown")).isEqualTo(2);
    assertThat(acted(server, "moved")).isEqualTo(1);
  }

  /** Whoever has the app has its key, and could name any rider. */
  @Test
  void actionByASharedKey_isTaken_movesNothing_andCanBeReplayed() throws Exception {
    String id = assigned("1");
    String shared = server.key("{\"name\":\"app\",\"scopes\":[\"collect\"]}");
    String action = "{\"riderId\":\"r-1\",\"at\":%d,\"type\":\"%s\",\"deliveryId\":\"%s\"}";
    String body =
        "["
            + String.join(
                ",",
                action.formatted(System.currentTimeMillis(), "pickup", id),
                action.formatted(System.currentTimeMillis(), "opened-the-app", id))
            + "]";
    RunningServer.Reply some = send(shared, body);
    assertThat(some.status()).isEqualTo(202);
    assertThat(some.json().path("accepted").asInt()).isEqualTo(1);
    assertThat(some.json().at("/quarantined/0/index").asInt()).isZero();
    assertThat(some.json().at("/quarantined/0/field").asString()).isEqualTo("key");
    assertThat(some.json().at("/quarantined/0/reason").asString()).contains("operate");
    RunningServer.Reply none =
        send(shared, action.formatted(System.currentTimeMillis(), "complete", id));
    assertThat(none.status()).as("a phone is never blocked: " + none.body()).isEqualTo(202);
    assertThat(none.json().path("accepted").asInt()).isZero();
    assertThat(none.json().at("/quarantined/0/field").asString()).isEqualTo("key");

    String own = server.key("{\"name\":\"r-1\",\"scopes\":[\"collect\"],\"rider\":\"r-1\"}");
    String others = server.key("{\"name\":\"r-2\",\"scopes\":[\"collect\"],\"rider\":\"r-2\"}");
    String pickup = action.formatted(System.currentTimeMillis(), "pickup", id);
    assertThat(send(others, pickup).status()).isEqualTo(403);
    awaitActions();
    assertThat(delivery(id).path("status").asString()).isEqualTo("ASSIGNED");
    assertThat(send(own, pickup).json().path("accepted").asInt()).isEqualTo(1);
    Program.await(() -> delivery(id).path("status").asString().equals("PICKED_UP"));

    JsonNode all = call("GET", "/v1/quarantine", "").json().path("items");
    assertThat(all.valueStream().map(one -> one.path("field").asString()))
        .containsExactly("key", "key");
    JsonNode aside =
        all.valueStream()
            .filter(one -> one.toString().contains("complete"))
            .findAny()
            .orElseThrow();
    String replay = "/v1/quarantine/" + aside.path("sequence").asLong() + "/replay";
    assertThat(call("POST", replay, "").status()).isIn(200, 202);
    Program.await(() -> delivery(id).path("status").asString().equals("COMPLETED"));
  }

  /** However long it was written, it is kept so that it can be replayed. */
  @Test
  void actionByASharedKey_over64KiB_canBeReplayed() throws Exception {
    String id = assigned("1");
    String shared = server.key("{\"name\":\"app\",\"scopes\":[\"collect\"]}");
    String body =
        ("{\"riderId\":\"r-1\",\"at\":%d,\"type\":\"pickup\",\"deliveryId\":\"%s\",%s"
                + "\"id\":\"a-1\",\"note\":\"%s\",\"attributes\":{\"key\":\"secret\"}}")
            .formatted(System.currentTimeMillis(), id, " ".repeat(70_000), "\\u00e9".repeat(6_000));
    assertThat(body.length()).isGreaterThan(100_000);
    RunningServer.Reply aside = send(shared, body);
    assertThat(aside.status()).as(aside.body()).isEqualTo(202);

    JsonNode item = call("GET", "/v1/quarantine", "").json().at("/items/0");
    assertThat(item.path("cut").asBoolean(false)).isFalse();
    JsonNode raw = new ObjectMapper().readTree(item.path("raw").asString());
    assertThat(raw.path("id").asString()).isEqualTo("a-1");
    assertThat(raw.at("/attributes/note").asString()).isEqualTo("\u00e9".repeat(6_000));
    assertThat(raw.at("/attributes/key").asString()).isEqualTo("***");
    String replay = "/v1/quarantine/" + item.path("sequence").asLong() + "/replay";
    Reply replayed = call("POST", replay, "");
    assertThat(replayed.status()).as(replayed.body()).isEqualTo(200);
    Program.await(() -> delivery(id).path("status").asString().equals("PICKED_UP"));
  }

  /** An operator who replays a day later must not date the rider's earnings a day later. */
  @Test
  void replayedAction_withATimeThatCannotBe_countsAtItsFirstArrival() throws Exception {
    String first = assigned("1");
    String second = assigned("2");
    String shared = server.key("{\"name\":\"app\",\"scopes\":[\"collect\"]}");
    String action = "{\"riderId\":\"r-1\",\"at\":%d,\"type\":\"pickup\",\"deliveryId\":\"%s\"}";
    long before = System.currentTimeMillis();
    long ahead = before + 86_400_000;
    assertThat(send(shared, action.formatted(0, first)).status()).isEqualTo(202);
    assertThat(send(shared, action.formatted(ahead, second)).status()).isEqualTo(202);
    long after = System.currentTimeMillis();
    Program.await(() -> System.currentTimeMillis() > after + 1_000);

    assertThat(call("POST", "/v1/quarantine-replays", "{\"stream\":\"actions\"}").status())
        .isEqualTo(202);
    for (String id : List.of(first, second)) {
      Program.await(() -> delivery(id).path("status").asString().equals("PICKED_UP"));
      JsonNode event = call("GET", "/v1/deliveries/" + id + "/events", "").json().at("/items/3");
      assertThat(Instant.parse(event.path("at").asString()).toEpochMilli())
          .isBetween(before, after);
      assertThat(Instant.parse(event.path("claimedAt").asString()).toEpochMilli())
          .isEqualTo(id.equals(first) ? 0 : ahead);
    }
    JsonNode items = call("GET", "/v1/quarantine", "").json().path("items");
    String again = "/v1/quarantine/" + items.path(0).path("sequence").asLong() + "/replay";
    assertThat(call("POST", again, "").json().path("duplicates").asInt()).isEqualTo(1);
  }

  private RunningServer.Reply send(String key, String body) throws Exception {
    return server.send(key, "POST", "/v1/actions", "application/json", body);
  }

  @Test
  void aRestart_readsNoActionTwice_andLosesNone() throws Exception {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      ids.add(assigned("" + i));
      act("r-1", ids.getLast(), "pickup", "");
    }
    restart();
    for (String id : ids) {
      act("r-1", id, "complete", "");
    }
    for (String id : ids) {
      Program.await(() -> delivery(id).path("status").asString().equals("COMPLETED"));
      assertThat(events(id))
          .containsExactly("created/1", "accepted/2", "assigned/3", "picked_up/4", "completed/5");
    }
  }

  @Test
  void everyEvent_isInTheLogOnce_andShipped_andAccountedFor() throws Exception {
    String first = assigned("1");
    String second = created(order("2"));
    restart();
    step(first, "pickup", "");
    step(second, "cancel", "{\"reason\":\"r\"}");
    Program.await(() -> delivered() == 6);
    assertThat(server.get("/v1/ledger").json().path("residue").asInt()).isZero();
    server.close();
    Program.Ended printed = Program.run("log", "cat", "--data=" + data, "--stream=deliveries");
    assertThat(printed.code()).as(printed.err()).isZero();
    List<String> told = new ArrayList<>();
    ObjectMapper json = new ObjectMapper();
    for (String line : printed.out().lines().toList()) {
      JsonNode record = json.readTree(line).path("record");
      told.add(record.path("id").asString() + " " + record.at("/data/status").asString());
      assertThat(record.at("/data/version").asInt()).isEqualTo(record.path("sequence").asInt());
      assertThat(record.at("/event/sequence").asInt()).isEqualTo(record.path("sequence").asInt());
    }
    assertThat(told)
        .containsExactlyInAnyOrder(
            first + ":1 NEW",
            first + ":2 ACCEPTED",
            first + ":3 ASSIGNED",
            first + ":4 PICKED_UP",
            second + ":1 NEW",
            second + ":2 CANCELLED");
    assertThat(told.stream().filter(line -> line.startsWith(first)).toList()).isSorted();
    Program.Ended verified = Program.run("log", "verify", "--data=" + data);
    assertThat(verified.code()).as(verified.err()).isZero();
    assertThat(Files.exists(data.resolve("shipped"))).isTrue();
    server = RunningServer.start(data, settings());
    assertThat(delivered()).isEqualTo(6);
  }

  /** How many events the ledger counts as delivered to the sink. */
  private long delivered() throws Exception {
    return server
        .get("/v1/ledger")
        .json()
        .path("items")
        .valueStream()
        .filter(row -> row.path("stream").asString().equals("deliveries"))
        .mapToLong(row -> row.path("delivered").asLong())
        .sum();
  }
}
