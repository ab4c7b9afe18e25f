package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.redis.RedisServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that follow each other over a Redis Cluster, their riders spread over buckets. */
@Tag("engine")
final class FleetClusterIT {
  private static final int RIDERS = 40;

  @TempDir Path folder;

  @Test
  void aCluster_isFollowed_andReadAnewFromAllBuckets() throws Exception {
    try (RedisServer redis =
        RedisServer.start(folder.resolve("redis"), "--cluster-enabled", "yes")) {
      redis.ask("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
      Program.await(() -> redis.texts("CLUSTER", "INFO").getFirst().contains("cluster_state:ok"));
      try (RunningServer one = start("one", redis)) {
        one.awaitReady();
        try (RunningServer two = start("two", redis)) {
          two.awaitReady();
          for (int i = 0; i < RIDERS; i++) {
            post(one, i);
          }
          Program.await(() -> two.metric("gilmok_positions_riders") == RIDERS);
        }
        try (RunningServer three = start("three", redis)) {
          three.awaitReady();
          assertThat(three.metric("gilmok_positions_riders")).isEqualTo(RIDERS);
          post(one, RIDERS);
          Program.await(() -> three.metric("gilmok_positions_riders") == RIDERS + 1);
        }
      }
    }
  }

  private static void post(RunningServer node, int rider) throws Exception {
    String trace =
        "{\"riderId\":\"r%d\",\"at\":%d,\"lat\":37.5,\"lon\":127}"
            .formatted(rider, System.currentTimeMillis());
    assertThat(node.post("/v1/traces", trace).status()).isEqualTo(202);
  }

  private RunningServer start(String name, RedisServer redis) throws Exception {
    return RunningServer.start(
        folder.resolve(name),
        "sinks.enabled=redis",
        "redis.url=" + redis.url().replace("/0", ""),
        "redis.cluster=true",
        "sinks.redis.buckets=16",
        "sinks.redis.batch-age-max=5 ms",
        "positions.follow=redis");
  }
}
