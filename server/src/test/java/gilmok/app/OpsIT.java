package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The last hour over HTTP. How the page looks and behaves: {@link OpsPageIT}. */
@Tag("server")
final class OpsIT {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  @TempDir Path data;

  @Test
  void lastHour_isOfThisServer_andSinceGivesWhatIsNew() throws Exception {
    try (RunningServer server = RunningServer.start(data, "sinks.enabled=files")) {
      JsonNode first = await(server, 1);
      server.post("/v1/traces", "{\"riderId\":\"r\",\"at\":1,\"lat\":1,\"lon\":1}");
      server.get("/v1/riders/nobody/position");
      JsonNode all = await(server, 2);
      int at = all.path("times").size() - 1;
      assertThat(all.at("/lines/http.requests/" + at).asDouble()).isPositive();
      assertThat(all.at("/lines/collect.accepted/" + at).asDouble()).isPositive();
      assertThat(all.at("/lines/http.faults/" + at).asDouble()).isZero();
      assertThat(all.at("/lines").propertyStream().map(line -> line.getKey()))
          .contains("log.fsync.p99", "sink.lag:files", "processor.used", "refusals:not-found");
      assertThat(all.path("values").path("gilmok_loop_up").valueStream())
          .anyMatch(one -> one.at("/labels/loop").asString().equals("ops"));
      assertThat(all.path("bounds").valueStream())
          .anyMatch(one -> one.path("metric").asString().equals("gilmok_log_queue_bytes"));
      assertThat(all.path("routes").path("items").valueStream())
          .anyMatch(one -> one.path("route").asString().equals("/v1/traces"));
      assertThat(all.path("slowest").valueStream())
          .anyMatch(one -> one.path("route").asString().equals("POST /v1/traces"))
          .noneMatch(one -> one.path("route").asString().contains("/ops"));
      assertThat(all.path("marks").valueStream().map(mark -> mark.path("what").asString()))
          .contains("start");
      assertThat(all.path("ready").asBoolean()).isTrue();

      long since = first.path("times").get(0).asLong();
      JsonNode fresh = server.get("/v1/ops?since=" + since).json();
      assertThat(fresh.path("times").get(0).asLong()).isGreaterThan(since);
      assertThat(fresh.path("lines").path("http.requests").size())
          .isEqualTo(fresh.path("times").size());
    }
  }

  @Test
  void lastHour_isForKeysThatMayReadAndAreBoundToNobody() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      assertThat(server.send("", "GET", "/v1/ops", "", "").status()).isEqualTo(401);
      String collects = server.key("{\"name\":\"c\",\"scopes\":[\"collect\"]}");
      assertThat(server.send(collects, "GET", "/v1/ops", "", "").status()).isEqualTo(403);
      for (String binding : new String[] {"rider", "shop", "agency"}) {
        String bound =
            server.key("{\"name\":\"%s\",\"scopes\":[\"read\"],\"%<s\":\"x\"}".formatted(binding));
        assertThat(server.send(bound, "GET", "/v1/ops", "", "").status()).isEqualTo(403);
      }
      String reads = server.key("{\"name\":\"r\",\"scopes\":[\"read\"]}");
      assertThat(server.send(reads, "GET", "/v1/ops", "", "").status()).isEqualTo(200);
      for (String wrong : new String[] {"-1", "now", "", "1e3", "9".repeat(16)}) {
        Reply reply = server.send(reads, "GET", "/v1/ops?since=" + wrong, "", "");
        assertThat(reply.status()).as(wrong).isEqualTo(400);
        assertThat(reply.json().path("field").asString()).isEqualTo("since");
      }
    }
  }

  @Test
  void page_isPublic_andMayLoadNothingFromElsewhere() throws Exception {
    try (RunningServer server = RunningServer.start(data);
        HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest ask = HttpRequest.newBuilder(server.uri("/ops")).build();
      HttpResponse<String> page = client.send(ask, BodyHandlers.ofString());
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.headers().firstValue("content-security-policy").orElse(""))
          .contains("default-src 'none'", "script-src 'self';", "style-src 'self'")
          .doesNotContain("unsafe", "http");
      assertThat(page.body()).doesNotContain("{version}");
    }
  }

  private static JsonNode await(RunningServer server, int samples) throws Exception {
    long until = System.nanoTime() + PATIENCE_NANOS;
    JsonNode answer = server.get("/v1/ops").json();
    while (answer.path("times").size() < samples && System.nanoTime() - until < 0) {
      LockSupport.parkNanos(100_000_000);
      answer = server.get("/v1/ops").json();
    }
    assertThat(answer.path("times").size()).isGreaterThanOrEqualTo(samples);
    return answer;
  }
}
