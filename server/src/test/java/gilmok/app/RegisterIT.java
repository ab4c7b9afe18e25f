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
    for (String rider : List.of("=1%2B1", "@x", "a,%22b")) {
      server.get("/v1/riders/" + rider + "/position");
    }
    String csv = server.get("/v1/privacy/records?format=csv").body();
    assertThat(csv.lines().toList()).hasSize(4);
    assertThat(csv).contains(",'=1+1,").contains(",'@x,").contains(",\"a,\"\"b\",");
    Set<String> ids = new TreeSet<>();
    String cursor = "";
    for (int i = 0; i < 3; i++) {
      JsonNode page = server.get("/v1/privacy/records?limit=1" + cursor).json();
      ids.add(page.get("items").get(0).get("id").asString());
      cursor = "&cursor=" + page.get("next").asString();
    }
    assertThat(ids).hasSize(3);
    for (String wrong :
        List.of("limit=0", "format=xml", "from=x", "cursor=x", "till=1", "limit=10001")) {
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
  void registerThatCannotBeWritten_showsNothing_andPhonesDoNotFeelIt() throws Exception {
    server.close();
    Trouble trouble = new Trouble();
    server = RunningServer.start(data, trouble);
    collect("r1", 2);
    assertThat(position("r1")).isNotNull();
    trouble.registerIsAway(true);
    for (String path :
        List.of(
            "/v1/riders/r1/position", "/v1/riders/r1/trace", "/v1/logs", "/v1/exports/traces")) {
      Reply reply = server.get(path);
      assertThat(reply.status()).as(path).isEqualTo(503);
      assertThat(reply.body()).doesNotContain("\"lat\"");
    }
    collect("r1", 4);
    trouble.registerIsAway(false);
    assertThat(server.get("/v1/riders/r1/position").status()).isEqualTo(200);
    assertThat(collected("r1", 4)).as("what waited is counted once").isEqualTo(4);
  }
}
