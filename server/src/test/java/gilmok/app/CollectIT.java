package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way of a record over HTTP, from the body to the log and to the latest position. */
@Tag("process")
final class CollectIT {
  @TempDir Path data;

  @Test
  void post_position_isAcceptedWithReceiptAndSoonTheLatest() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      Reply reply = server.post("/v1/traces", position("r1", 1000, 37.5));
      assertThat(reply.status()).isEqualTo(202);
      assertThat(reply.json().get("accepted").asInt()).isEqualTo(1);
      assertThat(reply.json().get("receipt").get("first").asLong()).isEqualTo(1);
      assertThat(reply.json().get("receipt").get("last").asLong()).isEqualTo(1);

      Reply latest = awaitLatest(server, "r1", "\"lat\":37.5,");
      assertThat(latest.json().get("riderId").asString()).isEqualTo("r1");
      assertThat(latest.json().get("at").asString()).isEqualTo("1970-01-01T00:00:01Z");
      assertThat(server.get("/v1/riders/unknown/position").status()).isEqualTo(404);
    }
  }

  @Test
  void post_againAndAfterARestart_isADuplicate() throws Exception {
    String body = "[" + position("r1", 1000, 37.5) + "," + position("r1", 2000, 37.6) + "]";
    try (RunningServer server = RunningServer.start(data)) {
      assertThat(server.post("/v1/traces", body).json().get("accepted").asInt()).isEqualTo(2);
      assertDuplicates(server.post("/v1/traces", body), 2);
    }
    try (RunningServer server = RunningServer.start(data)) {
      assertDuplicates(server.post("/v1/traces", body), 2);
      awaitLatest(server, "r1", "\"lat\":37.6,");
      Reply mixed =
          server.post(
              "/v1/traces",
              "[" + body.substring(1, body.length() - 1) + "," + position("r1", 3000, 37.7) + "]");
      assertThat(mixed.json().get("accepted").asInt()).isEqualTo(1);
      assertThat(mixed.json().get("duplicates").asInt()).isEqualTo(2);
      assertThat(mixed.json().get("receipt").get("first").asLong()).isEqualTo(3);
    }
  }

  @Test
  void post_someInvalid_quarantinesThoseAndTakesTheOthers() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      Reply reply =
          server.post(
              "/v1/traces", "[" + position("r1", 1000, 91) + "," + position("r2", 1000, 1) + ",7]");
      assertThat(reply.status()).isEqualTo(202);
      assertThat(reply.json().get("accepted").asInt()).isEqualTo(1);
      assertThat(reply.json().get("quarantined").toString())
          .isEqualTo(
              "[{\"index\":0,\"field\":\"lat\",\"reason\":\"out of range\"},"
                  + "{\"index\":2,\"field\":\"\",\"reason\":\"not an object\"}]");
      assertThat(reply.json().get("receipt").get("last").asLong()).isEqualTo(1);
    }
  }

  @Test
  void post_someInvalid_namesTheReasonsInKorean_whereThatIsAskedFor() throws Exception {
    try (RunningServer server = RunningServer.start(data);
        HttpClient client = HttpClient.newHttpClient()) {
      String body = "[" + position("r1", 1000, 91) + "," + position("r2", 1000, 1) + "]";
      HttpRequest request =
          HttpRequest.newBuilder(server.uri("/v1/traces"))
              .header("X-Api-Key", server.adminKey())
              .header("Content-Type", "application/json")
              .header("Accept-Language", "ko-KR,ko;q=0.9")
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build();
      String reply = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
      assertThat(reply).contains("\"reason\":\"범위를 벗어났습니다\"");
    }
  }

  @Test
  void post_withKeysInIt_keepsNone() throws Exception {
    String key = "gk_abcdefghijkl_" + "mnop".repeat(13);
    try (RunningServer server = RunningServer.start(data)) {
      String sound =
          "{\"riderId\":\"r1\",\"at\":1000,\"lat\":1,\"lon\":1,\"key\":\"beside\",\"attributes\":"
              + "{\"deep\":[{\"key\":7654321}],\"link\":\"https://x/?key="
              + key
              + "&a=1\",\"note\":\"gk_a_b\"}}";
      String bad = "{\"riderId\":\"r1\",\"lat\":91,\"key\" : \"set aside\",\"k\":\"" + key + "\"}";
      assertThat(server.post("/v1/traces", "[" + sound + "," + bad + "]").status()).isEqualTo(202);
      String kept = awaitLatest(server, "r1", "\"lat\":1").json().get("attributes").toString();
      assertThat(kept)
          .isEqualTo(
              "{\"deep\":[{\"key\":\"***\"}],\"link\":\"https://x/?key=***&a=1\",\"note\":\"***\","
                  + "\"key\":\"***\"}");
      assertThat(server.get("/v1/quarantine").body())
          .contains("***")
          .doesNotContain("set aside", "mnop");
      String line =
          "{\"riderId\":\"r1\",\"at\":1000,\"level\":\"info\",\"message\":\"asked ?key="
              + key
              + "\"}";
      assertThat(server.post("/v1/logs", line).status()).as(line).isEqualTo(202);
      String named = position(key, 1000, 1).replace("}", ",\"id\":\"" + key + "\"}");
      assertThat(server.post("/v1/traces", named).status()).as(named).isEqualTo(202);
      assertThat(server.get("/v1/riders?bbox=-180,-90,180,90").body()).doesNotContain("mnop");
      String escaped = "{\"lat\":91,\"k\\u0065y\":[\"nested\"],\"x\":\"g\\u006b_abcd_mnopmnop\"}";
      assertThat(server.post("/v1/traces", "[" + sound + "," + escaped + "]").status())
          .isEqualTo(202);
    }
    try (Stream<Path> segments = Files.list(data.resolve("log"))) {
      for (Path segment : segments.toList()) {
        assertThat(Files.readString(segment, StandardCharsets.ISO_8859_1))
            .doesNotContain("mnopmnop", "7654321", "beside", "set aside", "nested");
      }
    }
  }

  /**
   * A quarantined record takes more room than the few bytes it was sent as, so a small body may be
   * more than a commit group holds.
   */
  @Test
  void upload_thatIsMoreThanTheLogTakesAtOnce_isSplitOrRefused() throws Exception {
    String[] small = {"collect.body-bytes-max=32KiB", "log.group-bytes-max=64KiB"};
    try (RunningServer server = RunningServer.start(data, small)) {
      String sevens = ",7".repeat(3000);
      Reply refused = server.post("/v1/traces", "[" + position("r1", 1000, 1) + sevens + "]");
      assertThat(refused.status()).isEqualTo(413);
      assertThat(refused.body()).contains("log.group-bytes-max").contains("send it in two");
      String upload =
          "{\"locations\":[{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]},"
              + "\"properties\":{\"timestamp\":\"2026-03-01T09:00:00Z\",\"device_id\":\"over\"}}"
              + ",{}".repeat(3000)
              + "]}";
      // The upload is split. While its pieces fill the commit group it is refused as busy; each try
      // gets further.
      Program.await(() -> server.post("/overland", upload).status() == 200);
      awaitLatest(server, "over", "\"lat\":2");
      assertThat(server.metric("gilmok_collect_quarantined_total{stream=\"traces\"}"))
          .isGreaterThanOrEqualTo(3000);
    }
  }

  @Test
  void post_nothingValid_isRefusedAndNothingStored() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      for (String body : new String[] {position("r1", 1000, 91), "[]", "", "[1]", "{", "[{}"}) {
        Reply reply = server.post("/v1/traces", body);
        assertThat(reply.status()).as(body).isEqualTo(400);
        assertThat(reply.json().get("reason").asString()).as(body).isNotEmpty();
      }
      Reply next = server.post("/v1/traces", position("r1", 1000, 1));
      assertThat(next.json().get("receipt").get("first").asLong()).isEqualTo(1);
    }
  }

  @Test
  void post_nothingValid_saysWhereAndWhy() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      assertRefused(
          server, "{\"riderId\":\"r\",\"at\":1", "unreadable", "", "unexpected end at byte 21");
      assertRefused(server, "{\"lat\":01}", "unreadable", "", "at byte ");
      assertRefused(server, "[1,2]", "invalid", "[0]", "not an object");
      assertRefused(server, "[{},{}]", "invalid", "[0].riderId", "missing");
      assertRefused(server, "{bad\n{worse\n", "invalid", "[0]", "not JSON");
    }
  }

  private static void assertRefused(
      RunningServer server, String body, String type, String field, String reason)
      throws Exception {
    Reply reply = server.post("/v1/traces", body);
    assertThat(reply.status()).as(body).isEqualTo(400);
    assertThat(reply.json().get("type").asString()).as(body).endsWith("#" + type);
    assertThat(reply.json().get("field").asString()).as(body).isEqualTo(field);
    assertThat(reply.json().get("reason").asString()).as(body).contains(reason);
  }

  @Test
  void post_actionsAndLogs_areTaken() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      Reply action = server.post("/v1/actions", "{\"riderId\":\"r\",\"at\":1,\"type\":\"accept\"}");
      assertThat(action.json().get("accepted").asInt()).isEqualTo(1);
      Reply lines =
          server.send(
              server.adminKey(),
              "POST",
              "/v1/logs",
              "application/x-ndjson",
              "{\"riderId\":\"r\",\"at\":1,\"level\":\"info\",\"message\":\"a\"}\n"
                  + "no json\n"
                  + "{\"riderId\":\"r\",\"at\":1,\"level\":\"info\",\"message\":\"b\"}\n");
      assertThat(lines.json().get("accepted").asInt()).isEqualTo(2);
      assertThat(lines.json().get("quarantined").get(0).get("index").asInt()).isEqualTo(1);
    }
  }

  @Test
  void post_formBody_isAnUnsupportedMediaType() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      Reply reply =
          server.send(
              server.adminKey(),
              "POST",
              "/v1/traces",
              "application/x-www-form-urlencoded",
              position("r", 1, 1));
      assertThat(reply.status()).isEqualTo(415);
    }
  }

  private static void assertDuplicates(Reply reply, int count) {
    assertThat(reply.status()).isEqualTo(202);
    assertThat(reply.json().get("accepted").asInt()).isZero();
    assertThat(reply.json().get("duplicates").asInt()).isEqualTo(count);
    assertThat(reply.json().get("receipt").isNull()).isTrue();
  }

  private static Reply awaitLatest(RunningServer server, String rider, String part)
      throws Exception {
    long end = System.nanoTime() + 10_000_000_000L;
    Reply reply = server.get("/v1/riders/" + rider + "/position");
    while (!reply.body().contains(part) && System.nanoTime() < end) {
      LockSupport.parkNanos(1_000_000);
      reply = server.get("/v1/riders/" + rider + "/position");
    }
    assertThat(reply.body()).contains(part);
    return reply;
  }

  private static String position(String rider, long at, double lat) {
    return "{\"riderId\":\"%s\",\"at\":%d,\"lat\":%s,\"lon\":127}".formatted(rider, at, lat);
  }
}
