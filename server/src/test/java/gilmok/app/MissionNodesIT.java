package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.redis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Missions of two servers on one MongoDB, with a Redis between them. */
@Tag("engine")
final class MissionNodesIT extends DeliveryRig {
  @RegisterExtension static final TestDatabase DATABASE = new TestDatabase();

  @TempDir private static Path redisFolder;
  @AutoClose private static RedisServer redis;

  @TempDir Path other;

  @BeforeAll
  static void choose() throws Exception {
    redis = RedisServer.start(redisFolder);
  }

  @Override
  String[] settings() {
    return DATABASE.settings("redis.url=" + redis.url(), "missions.cache.ttl=1 h");
  }

  private static String shown(RunningServer node, String rider) throws Exception {
    return node.get("/v1/riders/" + rider + "/missions").body();
  }

  @Test
  void aMission_isSeenByTheOther_andARiderIsLoadedOnceForBoth() throws Exception {
    Files.copy(data.resolve("admin.key"), other.resolve("admin.key")); // one key for the fleet
    try (RunningServer second = RunningServer.start(other, settings())) {
      for (int i = 0; i < 3; i++) {
        call("PUT", "/v1/missions/m1", "{\"v\":" + i + "}");
        awaitShown(second, "r-7", "{\"id\":\"m1\",\"v\":" + i + "}");
      }
      call("PUT", "/v1/riders/r-1/missions/m1/progress", "{\"count\":1}");
      double before = loads(server) + loads(second);
      List<CompletableFuture<String>> all = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        RunningServer asked = i % 2 == 0 ? server : second;
        all.add(CompletableFuture.supplyAsync(() -> quietly(asked, "r-1")));
      }
      for (CompletableFuture<String> one : all) {
        assertThat(one.get()).endsWith("\"progress\":{\"m1\":{\"count\":1}}}");
      }
      assertThat(loads(server) + loads(second) - before).isEqualTo(1);

      // Either node's put is seen by the other, whose own value would last for an hour.
      call("PUT", "/v1/riders/r-1/missions/m1/progress", "{\"count\":3}");
      awaitShown(second, "r-1", "\"count\":3");
      second.send(
          second.adminKey(),
          "PUT",
          "/v1/riders/r-1/missions/m1/progress",
          "application/json",
          "{\"count\":4}");
      awaitShown(server, "r-1", "\"count\":4");

      redis.kill();
      call("PUT", "/v1/riders/r-1/missions/m1/progress", "{\"count\":2}");
      assertThat(shown(server, "r-1")).contains("\"count\":2");
      assertThat(shown(server, "r-9")).contains("\"v\":2");
      Program.await(() -> second.get("/health/ready").body().contains("are seen late"));
      assertThat(second.get("/health/ready").status()).isEqualTo(200);
      redis.restart();
      awaitShown(second, "r-1", "\"count\":2");
      Program.await(() -> server.metric("gilmok_cache_tombstones{cache=\"missions\"}") == 0);
    }
  }

  private static String quietly(RunningServer node, String rider) {
    try {
      return shown(node, rider);
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  private static double loads(RunningServer node) throws Exception {
    return node.metric("gilmok_cache_loads_total{cache=\"missions\"}");
  }

  private static void awaitShown(RunningServer node, String rider, String text) throws Exception {
    long end = System.nanoTime() + 20_000_000_000L;
    while (!shown(node, rider).contains(text)) {
      assertThat(System.nanoTime()).as(text).isLessThan(end);
      LockSupport.parkNanos(5_000_000);
    }
  }
}
