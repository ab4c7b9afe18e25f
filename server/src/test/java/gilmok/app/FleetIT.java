package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.redis.RedisServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract, kept over Redis, also after entries were lost or are wrong, and after a restart.
 */
@Tag("engine")
final class FleetIT extends FleetContract {
  private static final String STREAM = "gilmok:positions";

  @AutoClose private RedisServer redis;

  @BeforeEach
  @Override
  void start() throws Exception {
    redis = RedisServer.start(folder.resolve("redis"));
    super.start();
  }

  @Override
  void cut() {
    redis.kill();
  }

  @Override
  String reason() {
    return "loop-fleet";
  }

  @Override
  void mend() throws Exception {
    redis.restart();
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
    String[] settings = with(settings(), "positions.follow-wait=2 s");
    try (RunningServer third = RunningServer.start(alone, settings)) {
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
}
