package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** A whole server while it warms up. Nothing of the warm-up is left afterwards. */
@Tag("server")
final class WarmUpIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path data;

  @Test
  void untilItIsWarm_onlyHealthAnswers_andThenNothingIsLeft() throws Exception {
    try (RunningServer server = RunningServer.start(data, "warm-up.on=true", "warm-up.limit=3 s");
        HttpClient client = HttpClient.newHttpClient()) {
      assertThat(server.get("/health/live").status()).isEqualTo(200);
      assertThat(server.get("/health/ready").status()).isEqualTo(503);
      HttpResponse<String> refused = ask(client, server, "/v1/riders/r-1/position");
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).isPresent();
      assertThat(JSON.readTree(refused.body()).path("type").asString()).endsWith("warming");

      CompletableFuture<Void> warming =
          CompletableFuture.runAsync(
              () -> {
                try {
                  server.server().warmUp();
                } catch (Exception failed) {
                  throw new AssertionError(failed);
                }
              });
      awaitProgress(server);
      warming.get();

      assertThat(server.get("/health/ready").status()).isEqualTo(200);
      assertThat(server.get("/v1/riders/r-1/position").status()).isEqualTo(404);
      assertThat(server.get("/warmup").status()).isEqualTo(404);
      JsonNode report = server.get("/v1/warmup").json();
      assertThat(report.path("verdict").asString()).isIn("steady", "limit");
      assertThat(report.path("windows").size()).isGreaterThan(3);
      assertThat(report.path("surprises").toString()).isEqualTo("[]");
      assertNothingIsLeft(server);
    }
  }

  private static HttpResponse<String> ask(HttpClient client, RunningServer server, String path)
      throws Exception {
    URI uri = server.uri(path);
    return client.send(
        HttpRequest.newBuilder(uri).header("X-Api-Key", server.adminKey()).build(),
        BodyHandlers.ofString());
  }

  private static void awaitProgress(RunningServer server) throws Exception {
    long end = System.nanoTime() + 20_000_000_000L;
    while (!server.get("/health/ready").body().contains("requests/s")) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(5_000_000);
    }
  }

  private void assertNothingIsLeft(RunningServer server) throws Exception {
    try (Stream<Path> all = Files.list(data)) {
      assertThat(all.map(path -> path.getFileName().toString()))
          .noneMatch(name -> name.startsWith("warmup"));
    }
    for (JsonNode stream : server.get("/v1/ledger").json().path("streams")) {
      assertThat(stream.path("accepted").asLong()).as(stream.toString()).isZero();
    }
    assertThat(server.get("/v1/deliveries").json().path("items").size()).isZero();
    assertThat(server.get("/v1/missions").json().path("items").size()).isZero();
    assertThat(server.get("/v1/riders?near=37.4979,127.0276&radius=50000").json().path("items"))
        .isEmpty();
    assertThat(server.metric("gilmok_collect_accepted_total{stream=\"traces\"}")).isZero();
    assertThat(server.get("/v1/keys").json().path("items").size()).as("the admin's").isOne();
  }
}
