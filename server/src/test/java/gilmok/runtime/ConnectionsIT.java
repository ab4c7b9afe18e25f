package gilmok.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.Program;
import gilmok.app.RunningServer;
import gilmok.redis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** How readiness names optional parts that are really missing, such as a Redis that was killed. */
@Tag("engine")
final class ConnectionsIT {
  @TempDir Path data;
  @TempDir Path elsewhere;

  @Test
  void whatIsOptional_isNamed_andGoesFromTheListWhenItIsThere() throws Exception {
    Path taken = Files.writeString(elsewhere.resolve("taken"), "");
    try (RedisServer redis = RedisServer.start(elsewhere.resolve("redis"))) {
      redis.kill();
      try (RunningServer server =
          RunningServer.start(
              data,
              "redis.url=" + redis.url(),
              "sinks.enabled=files,redis",
              "sinks.files.folder=" + taken.resolve("shipped"))) {
        assertThat(server.get("/health/ready").status()).isEqualTo(503);

        server.server().warmUp();

        RunningServer.Reply ready = server.get("/health/ready");
        assertThat(ready.status()).isEqualTo(200);
        assertThat(ready.json().path("ready").asBoolean()).isTrue();
        // The loop that reads other nodes' changes from Redis is named, too, once it fails for 3 s.
        assertThat(names(ready.json())).contains("redis", "sinks.files", "sinks.redis");
        for (JsonNode one : ready.json().path("missing")) {
          assertThat(one.path("optional").asBoolean()).isTrue();
          String name = one.path("name").asString();
          if (!name.equals("loop-missions-changes")) {
            assertThat(name).isIn("redis", "sinks.files", "sinks.redis");
            assertThat(one.path("reason").asString()).containsPattern("tried for \\d+ s");
          }
          if (name.equals("sinks.files")) {
            assertThat(one.path("reason").asString()).contains("is no folder");
          }
        }
        Program.await(
            () -> names(server.get("/health/ready").json()).contains("loop-missions-changes"));
        assertThat(server.metric("gilmok_ready")).isEqualTo(1);
        assertThat(missing(server, "redis")).isEqualTo(1);
        assertThat(
                server
                    .post("/v1/traces", "{\"riderId\":\"r\",\"at\":1,\"lat\":1,\"lon\":1}")
                    .status())
            .isEqualTo(202);

        redis.restart();
        Files.delete(taken);
        Program.await(() -> names(server.get("/health/ready").json()).isEmpty());
        assertThat(missing(server, "redis")).isZero();

        redis.kill();
        Program.await(() -> names(server.get("/health/ready").json()).contains("redis"));
        assertThat(server.get("/health/ready").status()).isEqualTo(200);
      }
    }
  }

  @Test
  void whatIsThere_isNotNamed() throws Exception {
    try (RunningServer server = RunningServer.start(data, "sinks.enabled=files")) {
      server.server().warmUp();
      assertThat(server.get("/health/ready").body())
          .isEqualTo("{\"ready\":true,\"missing\":[],\"warmUp\":\"skipped\"}");
    }
  }

  private static double missing(RunningServer server, String part) throws Exception {
    return server.metric("gilmok_missing{optional=\"true\",part=\"" + part + "\"}");
  }

  private static List<String> names(JsonNode readiness) {
    return readiness.path("missing").findValuesAsString("name");
  }
}
