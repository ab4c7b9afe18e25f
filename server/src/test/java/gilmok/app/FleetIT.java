package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.EventStream.Event;
import gilmok.redis.RedisServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers that know each other's riders by Redis, and nothing of each other. What is sent to
 * one is found at both, also after Redis was away, lost entries or has wrong ones, and after a
 * restart.
 */
@Tag("engine")
final class FleetIT extends DeliveryRig {
  private static final String READ = "gilmok_positions_fleet_read_total{result=\"%s\"}";
  private static final String REBUILDS = "gilmok_positions_fleet_rebuilds_total";
  private static final String STREAM = "gilmok:positions";

  @TempDir Path folder;

  private final long now = System.currentTimeMillis();
  private RedisServer redis;
  private RunningServer other;

  @BeforeEach
  @Override
  void start() throws Exception {
    redis = RedisServer.start(folder.resolve("redis"));
    super.start();
    other = RunningServer.start(folder.resolve("other"), settings());
    server.awaitReady();
    other.awaitReady();
  }

  @AfterEach
  @Override
  void stop() throws Exception {
    other.close();
    super.stop();
    redis.close();
  }

  @Override
  String[] settings() {
    return new String[] {
      "sinks.enabled=redis",
      "redis.url=" + redis.url(),
      "redis.command-timeout=500 ms",
      "sinks.redis.retry-max=500 ms",
      "sinks.redis.batch-age-max=5 ms",
      "positions.follow=redis"
    };
  }

  @Test
  void aPositionSentToOne_isFoundAtTheOther_everywhere() throws Exception {
    String delivery = assigned("o-1");
    assertThat(step(delivery, "pickup", "").status()).isEqualTo(200);
    String link = call("POST", "/v1/deliveries/" + delivery + "/track", "").at("/url");
    try (EventStream here = new EventStream(server, client, "");
        EventStream there = new EventStream(other, client, "bbox=126,37,128,38")) {
      post(other, "r-1", now, 37.55);
      assertThat(there.next().rider()).isEqualTo("r-1");
      Event event = here.next();
      assertThat(event.rider()).isEqualTo("r-1");
      assertThat(event.json()).isEqualTo(other.get("/v1/riders/r-1/position").json());
      post(server, "r-2", now, 37.56);
      assertThat(there.next().rider()).isEqualTo("r-2");
      assertThat(here.next().rider()).isEqualTo("r-2");
    }
    for (RunningServer node : List.of(server, other)) {
      assertThat(node.get("/v1/riders/r-1/position").body()).contains("\"lat\":37.55,", "비");
      String near = node.get("/v1/riders?near=37.55,127&radius=2000").body();
      assertThat(near).contains("\"r-1\"", "\"r-2\"");
      String box = node.get("/v1/riders?bbox=126,37.555,128,38").body();
      assertThat(box).contains("\"r-2\"").doesNotContain("\"r-1\"");
      assertThat(node.metric("gilmok_positions_riders")).isEqualTo(2);
      Program.await(() -> node.metric(READ.formatted("own")) == 1);
      assertThat(node.metric(READ.formatted("taken"))).isEqualTo(1);
      assertThat(node.metric(READ.formatted("invalid"))).isZero();
      assertThat(node.metric(REBUILDS)).as("that of the start").isEqualTo(1);
      assertThat(node.metric("gilmok_positions_fleet_staleness_seconds")).isZero();
    }
    Reply seen = callWith("", "GET", link, "", "Accept", "application/json");
    assertThat(seen.at("/rider/lat")).as(seen.body()).isEqualTo("37.55");
  }

  @Test
  void anOlderFix_doesNotWin_whereverItCameFrom() throws Exception {
    post(server, "a", now, 1);
    post(other, "b", now, 2);
    awaitLat(server, "b", 2);
    awaitLat(other, "a", 1);
    post(server, "b", now - 1000, 3);
    post(other, "a", now - 1000, 4);
    post(server, "c", now, 5);
    post(other, "d", now, 6);
    awaitLat(server, "d", 6); // so it has read the older fix, too
    awaitLat(other, "c", 5);
    for (RunningServer node : List.of(server, other)) {
      assertThat(lat(node, "a")).isEqualTo(1);
      assertThat(lat(node, "b")).isEqualTo(2);
      assertThat(node.metric(READ.formatted("older"))).isEqualTo(1);
    }
  }

  @Test
  void redisAway_everyoneServesItsOwn_saysSo_andCatchesUp() throws Exception {
    post(other, "a", now, 1);
    awaitLat(server, "a", 1);
    redis.kill();
    post(server, "own", now, 2);
    post(other, "a", now + 1, 3);
    post(other, "new", now, 4);
    awaitLat(server, "own", 2);
    Program.await(() -> server.get("/health/ready").body().contains("not followed"));
    assertThat(server.get("/health/ready").status()).as("its own riders").isEqualTo(200);
    assertThat(server.metric("gilmok_missing{optional=\"true\",part=\"loop-fleet\"}")).isEqualTo(1);
    Program.await(() -> server.metric("gilmok_positions_fleet_staleness_seconds") > 1);
    assertThat(lat(server, "a")).as("the last that it knows").isEqualTo(1);
    Program.await(
        () ->
            Pattern.compile("\"the positions of other nodes are \\d+ s old\"")
                .matcher(server.get("/health/ready").body())
                .find());
    redis.restart();
    awaitLat(server, "a", 3);
    awaitLat(server, "new", 4);
    awaitLat(other, "own", 2);
    Program.await(() -> !server.get("/health/ready").body().contains("not followed"));
    Program.await(() -> server.metric("gilmok_positions_fleet_staleness_seconds") == 0);
    assertThat(server.get("/health/ready").body()).doesNotContain("s old");
    assertThat(server.metric(REBUILDS)).as("nothing was trimmed").isEqualTo(1);
  }

  /** Three positions, of which the stream keeps one, come in one step of Redis. */
  @Test
  void entriesTrimmedUnread_areFoundInTheHashes() throws Exception {
    post(other, "a", now, 1);
    awaitLat(server, "a", 1);
    List<String> words =
        new ArrayList<>(
            List.of(
                """
        for i = 1, 3 do
          redis.call('HSET', KEYS[2], 'x' .. i, ARGV[i]:sub(1, -2) .. ',"recordId":"elsewhere:1"}')
          redis.call('XADD', KEYS[1], 'MAXLEN', '1', '*', 'recordId', 'elsewhere:1',
            'record', ARGV[i])
        end
        """,
                "2",
                STREAM,
                "gilmok:{b0}:positions"));
    for (int i = 1; i <= 3; i++) {
      words.add(record("x" + i, i));
    }
    redis.ask("EVAL", words.toArray(String[]::new));
    for (int i = 1; i <= 3; i++) {
      awaitLat(server, "x" + i, i);
      awaitLat(other, "x" + i, i);
    }
    assertThat(server.metric(REBUILDS)).isEqualTo(2);
    redis.texts("FLUSHALL");
    post(other, "y", now, 7);
    awaitLat(server, "y", 7);
    assertThat(lat(server, "a")).as("is still known").isEqualTo(1);
  }

  @Test
  void aRestartedNode_knowsTheFleet_beforeItIsReady() throws Exception {
    post(other, "a", now, 1);
    awaitLat(server, "a", 1);
    other.close();
    for (int i = 0; i < 1200; i++) {
      redis.ask("HSET", "gilmok:{b0}:positions", "h" + i, hashed("h" + i, i % 90));
    }
    post(server, "b", now, 2);
    post(server, "a", now + 1, 3);
    String hash = "gilmok:{b0}:positions";
    Program.await(() -> redis.texts("HGET", hash, "a").getFirst().contains(":3,"));
    redis.texts("XTRIM", STREAM, "MAXLEN", "0");
    other = RunningServer.start(folder.resolve("other"), settings());
    other.awaitReady();
    assertThat(lat(other, "a")).isEqualTo(3);
    assertThat(lat(other, "b")).isEqualTo(2);
    assertThat(lat(other, "h1199")).isEqualTo(1199 % 90);
    assertThat(other.metric("gilmok_positions_riders")).isEqualTo(1202);
    assertThat(other.metric(REBUILDS)).isEqualTo(1);
  }

  @Test
  void wrongEntries_areSkipped_andTheNextIsRead() throws Exception {
    redis.texts("XADD", STREAM, "*", "record", "not JSON");
    redis.texts("XADD", STREAM, "*", "a", "b");
    redis.texts("XADD", STREAM, "*", "recordId", "x:1", "record", "{\"riderId\":\"\",\"at\":1}");
    redis.texts("XADD", STREAM, "*", "recordId", "x:1", "record", "x".repeat(8 << 20));
    redis.texts("HSET", "gilmok:{b0}:positions", "bad", "{}");
    post(other, "a", now, 1);
    awaitLat(server, "a", 1);
    assertThat(server.metric(READ.formatted("invalid"))).isEqualTo(4);
    assertThat(server.get("/health/ready").status()).isEqualTo(200);
  }

  @Test
  void withoutRedis_aStartWaits_thenServesItsOwn_andSaysSo(@TempDir Path alone) throws Exception {
    redis.kill();
    String[] more = {"positions.follow-wait=2 s"};
    List<String> settings = new ArrayList<>(List.of(settings()));
    settings.addAll(List.of(more));
    try (RunningServer third = RunningServer.start(alone, settings.toArray(String[]::new))) {
      RunningServer.Reply early = third.get("/health/ready");
      assertThat(early.status()).as(early.body()).isEqualTo(503);
      assertThat(early.body()).contains("fleet", "have not all been read");
      third.awaitReady();
      assertThat(third.get("/health/ready").body()).contains("have not all been read");
      post(third, "a", now, 1);
      awaitLat(third, "a", 1);
      redis.restart();
      Program.await(() -> !third.get("/health/ready").body().contains("have not all been read"));
      awaitLat(server, "a", 1);
    }
  }

  private String record(String rider, double lat) {
    return "{\"riderId\":\"%s\",\"at\":\"2026-11-27T00:00:00Z\",\"lat\":%s,\"lon\":127}"
        .formatted(rider, lat);
  }

  private String hashed(String rider, double lat) {
    return record(rider, lat).replaceAll("}$", ",\"recordId\":\"elsewhere:1\"}");
  }

  private static void post(RunningServer node, String rider, long at, double lat) throws Exception {
    String trace =
        "{\"riderId\":\"%s\",\"at\":%d,\"lat\":%s,\"lon\":127,\"attributes\":{\"말\":\"비\"}}"
            .formatted(rider, at, lat);
    assertThat(node.post("/v1/traces", trace).status()).isEqualTo(202);
  }

  private static double lat(RunningServer node, String rider) throws Exception {
    RunningServer.Reply reply = node.get("/v1/riders/" + rider + "/position");
    return reply.status() == 200 ? reply.json().get("lat").asDouble() : Double.NaN;
  }

  private static void awaitLat(RunningServer node, String rider, double lat) throws Exception {
    Program.await(() -> lat(node, rider) == lat);
  }
}
