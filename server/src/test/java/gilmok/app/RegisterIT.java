package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The register of a whole server: what was collected, seen and given, and how it is asked for. */
@Tag("server")
final class RegisterIT extends PhoneRig {
  private final long now = System.currentTimeMillis();

  private void collect(String rider, int positions) throws Exception {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < positions; i++) {
      all.add("{\"riderId\":\"%s\",\"at\":%d,\"lat\":37,\"lon\":127}".formatted(rider, now + i));
    }
    assertThat(server.send(key, "POST", "/v1/traces", JSON, all.toString()).status())
        .isEqualTo(202);
  }

  private List<JsonNode> records(String query) throws Exception {
    Reply reply = server.get("/v1/privacy/records?" + query);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    List<JsonNode> all = new ArrayList<>();
    reply.json().get("items").forEach(all::add);
    return all;
  }

  private long collected(String rider, long wanted) throws Exception {
    long until = System.nanoTime() + 20_000_000_000L;
    long count = 0;
    while (count < wanted && System.nanoTime() < until) {
      count =
          records("rider=" + rider).stream()
              .filter(one -> one.get("kind").asString().equals("collected"))
              .mapToLong(one -> one.get("count").asLong())
              .sum();
    }
    return count;
  }

  private List<String> seen(String query) throws Exception {
    return records(query).stream()
        .filter(one -> one.get("kind").asString().equals("seen"))
        .map(one -> one.get("what").asString() + " " + one.get("count").asLong())
        .toList();
  }

  @Test
  void collected_isCountedByRiderAndDay_alsoOverARestart() throws Exception {
    collect("r1", 3);
    collect("r2", 1);
    assertThat(collected("r1", 3)).isEqualTo(3);
    JsonNode row = records("rider=r2").getFirst();
    assertThat(row.get("what").asString()).isEqualTo("traces");
    assertThat(row.get("riderId").asString()).isEqualTo("r2");
    assertThat(row.get("rider").asString()).startsWith("p-").isNotEqualTo("r2");
    assertThat(row.get("purposes").toString()).isEqualTo("[\"dispatch\",\"customer\",\"history\"]");
    assertThat(row.get("sinks").toString()).isEqualTo("[]");
    assertThat(records("rider=" + row.get("rider").asString())).containsExactly(row);
    server.close();
    server = RunningServer.start(data, settings());
    collect("r1", 2);
    assertThat(collected("r1", 3)).isEqualTo(3);
    assertThat(collected("r2", 1)).isEqualTo(1);
  }

  @Test
  void seen_isWrittenBeforeTheAnswer_byKey() throws Exception {
    collect("r1", 1);
    position("r1");
    String reader = server.key("{\"name\":\"dispatch\",\"scopes\":[\"read\"]}");
    String id = reader.substring(3, reader.indexOf('_', 3));
    String day = "?from=" + (now - 60_000) + "&to=" + (now + 60_000);
    for (String path :
        List.of(
            "/v1/riders/r1/position",
            "/v1/riders/r1/position",
            "/v1/riders/r1/trace" + day,
            "/v1/riders/r1/stays" + day,
            "/v1/riders?near=37,127",
            "/v1/riders?near=37,127",
            "/v1/logs?rider=r1&from=" + (now - 60_000) + "&to=" + now)) {
      assertThat(server.send(reader, "GET", path, "", "").status()).as(path).isEqualTo(200);
    }
    assertThat(seen("key=" + id))
        .containsExactlyInAnyOrder(
            "position 1", "position 1", "trace 1", "stays 1", "logs 1", "near 2");
    assertThat(seen("key=" + id + "&rider=r1"))
        .containsExactlyInAnyOrder("position 1", "position 1", "trace 1", "stays 1", "logs 1");
    assertThat(records("key=" + id + "&to=" + (now - 60_000))).isEmpty();
    String own = server.key("{\"name\":\"own\",\"scopes\":[\"read\"],\"rider\":\"r1\"}");
    assertThat(server.send(own, "GET", "/v1/riders/r1/position", "", "").status()).isEqualTo(200);
    assertThat(seen("rider=r1&key=" + own.substring(3, own.indexOf('_', 3)))).isEmpty();
    assertThat(server.send(reader, "GET", "/v1/privacy/records", "", "").status()).isEqualTo(403);
  }

  @Test
  void csv_hasNoFormulas_andPagesGoOn() throws Exception {
    String longest = "x".repeat(128);
    for (String rider : List.of("=1+1", "@x", "+2", "-3", "a;=4", "a,\\\"b", longest)) {
      collect(rider, 1);
    }
    assertThat(collected(longest, 1)).isEqualTo(1);
    String csv = server.get("/v1/privacy/records?format=csv").body();
    assertThat(csv.lines().toList()).hasSize(8);
    assertThat(csv)
        .contains(",'=1+1,")
        .contains(",'@x,")
        .contains(",'+2,")
        .contains(",'-3,")
        .contains(",\"a;'=4\",")
        .contains(",\"a,\"\"b\",")
        .contains("," + longest + ",");
    Set<String> ids = new TreeSet<>();
    String cursor = "";
    for (int i = 0; i < 3; i++) {
      JsonNode page = server.get("/v1/privacy/records?limit=1" + cursor).json();
      ids.add(page.get("items").get(0).get("id").asString());
      cursor = "&cursor=" + page.get("next").asString();
    }
    assertThat(ids).hasSize(3);
    for (String wrong :
        List.of(
            "limit=0",
            "format=xml",
            "from=x",
            "cursor=x",
            "till=1",
            "limit=10001",
            "from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z")) {
      assertThat(server.get("/v1/privacy/records?" + wrong).status()).as(wrong).isEqualTo(400);
    }
  }

  @Test
  void off_isNoRegister() throws Exception {
    server.close();
    server = RunningServer.start(data, "privacy.register=false");
    assertThat(server.get("/v1/privacy/records").status()).isEqualTo(404);
    collect("r1", 1);
    assertThat(position("r1")).isNotNull();
  }

  @Test
  void spans_thatAreEmptyOrEndless_areAnswered() throws Exception {
    collect("r1", 1);
    assertThat(collected("r1", 1)).isEqualTo(1);
    assertThat(records("from=1970-01-01T00:00:00Z&to=2100-01-01T00:00:00Z")).hasSize(1);
    assertThat(records("from=0&to=4102444800000")).hasSize(1);
    assertThat(records("from=2090-01-01T00:00:00Z")).isEmpty();
    assertThat(records("to=1971-01-01T00:00:00Z")).isEmpty();
    assertThat(records("rider=nobody")).isEmpty();
    assertThat(records("key=nobody")).isEmpty();
    assertThat(records("rider=" + "y".repeat(128) + "&key=%EB%B0%B0")).isEmpty();
  }

  @Test
  void handOuts_exportsAndBackups_areWrittenDown_eachTime() throws Exception {
    String rider = server.key("{\"name\":\"own\",\"scopes\":[\"read\"],\"rider\":\"r1\"}");
    assertThat(server.send(rider, "GET", "/v1/riders/r1/data", "", "").status()).isEqualTo(200);
    assertThat(server.get("/v1/riders/r1/data").status()).isEqualTo(200);
    assertThat(server.get("/v1/exports/traces").status()).isEqualTo(200);
    assertThat(server.send(server.adminKey(), "POST", "/v1/backup", "", "").status())
        .isEqualTo(200);
    assertThat(records("").stream().map(RegisterIT::act))
        .containsExactlyInAnyOrder(
            "given hand-out", "given hand-out", "seen export", "given backup");
    assertThat(records("rider=r1")).hasSize(2).allMatch(one -> one.has("key"));
  }

  private static String act(JsonNode row) {
    return row.get("kind").asString() + " " + row.get("what").asString();
  }

  /** Positions are answered while the documents are away, and who looked is written there later. */
  @Test
  void documentsThatAreAway_showLocations_andLoseNoLook_alsoOverARestart() throws Exception {
    server.close();
    Trouble trouble = new Trouble();
    server = RunningServer.start(data, trouble);
    collect("r1", 2);
    assertThat(position("r1")).isNotNull();
    trouble.registerIsAway(true);
    for (int i = 0; i < 3; i++) {
      assertThat(server.get("/v1/riders/r1/position").status()).isEqualTo(200);
    }
    assertThat(server.get("/v1/privacy/records").status())
        .as("an answer without them would look complete")
        .isEqualTo(503);
    collect("r1", 4);
    server.close();
    server = RunningServer.start(data, settings());
    assertThat(collected("r1", 4)).as("what waited is counted once").isEqualTo(4);
    assertThat(seen("rider=r1").stream().filter("position 1"::equals))
        .hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void registerThatCannotBeWritten_showsNothing_andPhonesDoNotFeelIt() throws Exception {
    server.close();
    Trouble trouble = new Trouble();
    server = RunningServer.start(data, trouble);
    collect("r1", 2);
    assertThat(position("r1")).isNotNull();
    assertThat(records("")).as("moved, so that the next look begins a file").isNotEmpty();
    trouble.registerIsAway(true);
    trouble.journalFails(true);
    for (String path :
        List.of(
            "/v1/riders/r1/position",
            "/v1/riders/r1/trace",
            "/v1/riders?near=37,127",
            "/v1/logs",
            "/v1/riders/r1/data",
            "/v1/exports/traces")) {
      Reply reply = server.get(path);
      assertThat(reply.status()).as(path).isEqualTo(503);
      assertThat(reply.body()).doesNotContain("\"lat\"");
    }
    collect("r1", 4);
    trouble.registerIsAway(false);
    trouble.journalFails(false);
    assertThat(server.get("/v1/riders/r1/position").status()).isEqualTo(200);
    assertThat(collected("r1", 4)).as("what waited is counted once").isEqualTo(4);
  }
}
