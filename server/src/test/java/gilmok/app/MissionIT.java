package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Missions of a whole server: what is put, what riders are shown, and what is settled. */
@Tag("process")
final class MissionIT extends DeliveryRig {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SHOWN = "/v1/riders/r-1/missions";

  private Reply mission(String id, String body) throws Exception {
    return call("PUT", "/v1/missions/" + id, body);
  }

  private Reply progress(String id, String body) throws Exception {
    return call("PUT", SHOWN + "/" + id + "/progress", body);
  }

  private String shown() throws Exception {
    return call("GET", SHOWN, "").body();
  }

  @Test
  void shown_areThoseOpenToAll_thenTheRiders_withProgress_alsoAfterARestart() throws Exception {
    assertThat(shown()).isEqualTo("{\"items\":[],\"progress\":{}}");
    mission("m2", "{ \"title\": \"둘\", \"rules\": [1, 2.50] }");
    mission("m3", "{\"title\":\"3\",\"riders\":[\"r-1\",\"r-2\"]}");
    mission("m1", "{\"title\":\"1\",\"id\":\"m1\"}");
    mission("m0", "{\"riders\":[\"r-2\"]}");
    assertThat(progress("m3", "{ \"count\": 1 }").body()).isEqualTo("{\"count\":1}");
    String expected =
        "{\"items\":[{\"id\":\"m1\",\"title\":\"1\"},"
            + "{\"id\":\"m2\",\"title\":\"둘\",\"rules\":[1,2.50]},"
            + "{\"id\":\"m3\",\"title\":\"3\"}],\"progress\":{\"m3\":{\"count\":1}}}";
    assertThat(shown()).isEqualTo(expected);
    assertThat(call("GET", "/v1/riders/r-3/missions", "").at("/items/1/id")).isEqualTo("m2");
    restart();
    assertThat(shown()).isEqualTo(expected);
    assertThat(call("GET", "/v1/missions/m0", "").body())
        .isEqualTo("{\"id\":\"m0\",\"riders\":[\"r-2\"]}");
    assertThat(call("GET", "/v1/missions?cursor=m2", "").body())
        .isEqualTo("{\"items\":[{\"id\":\"m3\",\"title\":\"3\",\"riders\":[\"r-1\",\"r-2\"]}]}");
  }

  @Test
  void whatWasWritten_isShownByTheNextRead() throws Exception {
    mission("m1", "{\"v\":1}");
    for (int i = 1; i <= 20; i++) {
      progress("m1", "{\"count\":" + i + "}");
      assertThat(shown()).endsWith("\"progress\":{\"m1\":{\"count\":" + i + "}}}");
      mission("m1", "{\"v\":" + i + "}");
      assertThat(shown()).contains("{\"id\":\"m1\",\"v\":" + i + "}");
    }
  }

  @Test
  void missions_openAndEnd_byThemselves() throws Exception {
    long now = System.currentTimeMillis();
    mission("soon", "{\"from\":" + (now + 500) + ",\"to\":\"" + later(now, 1500) + "\"}");
    mission("over", "{\"to\":" + (now - 1) + "}");
    assertThat(shown()).startsWith("{\"items\":[],");
    awaitShown("soon", true);
    awaitShown("soon", false);
  }

  private static String later(long now, long millis) {
    return Instant.ofEpochMilli(now + millis).toString();
  }

  private void awaitShown(String id, boolean isThere) throws Exception {
    long end = System.nanoTime() + 20_000_000_000L;
    while (shown().contains("\"" + id + "\"") != isThere) {
      assertThat(System.nanoTime()).as(id).isLessThan(end);
      LockSupport.parkNanos(5_000_000);
    }
  }

  @Test
  void settling_isDoneOnce_ofWhatIsDue() throws Exception {
    mission("count", "{\"goal\":10}");
    mission("said", "{\"urgent\":true}");
    mission("open", "{\"goal\":10}");
    mission("over", "{\"goal\":1,\"to\":" + (System.currentTimeMillis() - 1000) + "}");
    mission("other", "{\"riders\":[\"r-2\"]}");
    progress("count", "{\"count\":10}");
    progress("said", "{\"fulfilled\":true}");
    progress("open", "{\"count\":9.5,\"fulfilled\":false}");
    progress("over", "{\"count\":3}");
    progress("other", "{\"fulfilled\":true}");

    Reply urgent = call("POST", SHOWN + "/settle?urgent=true", "");
    assertThat(urgent.status()).isEqualTo(200);
    assertThat(urgent.header("Content-Location")).isEqualTo(SHOWN);
    String at = urgent.at("/progress/said/settledAt");
    assertThat(Instant.parse(at)).isBefore(Instant.now().plusSeconds(1));
    assertThat(urgent.at("/progress/count/settledAt")).isEmpty();

    Reply all = call("POST", SHOWN + "/settle", "");
    assertThat(all.at("/progress/said/settledAt")).isEqualTo(at);
    assertThat(all.at("/progress/count/settledAt")).isNotEmpty();
    assertThat(all.at("/progress/open/settledAt")).isEmpty();
    assertThat(shown()).isEqualTo(all.body());
    assertThat(server.metric("gilmok_missions_settled_total")).isEqualTo(3);

    String settled = all.at("/progress/count/settledAt");
    assertThat(progress("count", "{}").body()).isEqualTo("{\"settledAt\":\"" + settled + "\"}");
    assertThat(call("POST", SHOWN + "/settle", "").at("/progress/count/settledAt"))
        .isEqualTo(settled);
    assertThat(call("POST", SHOWN + "/settle?urgent=yes", "").at("/field")).isEqualTo("urgent");
    assertThat(server.metric("gilmok_missions_settled_total")).isEqualTo(3);
    assertThat(server.metric("gilmok_missions_seconds_count{purpose=\"settle\"}")).isEqualTo(2);
    assertThat(server.metric("gilmok_missions_seconds_count{purpose=\"settle-urgent\"}"))
        .isEqualTo(1);
  }

  @Test
  void profile_isKept_andTheMissionsShown() throws Exception {
    mission("m1", "{}");
    assertThat(call("GET", "/v1/riders/r-1/profile", "").status()).isEqualTo(404);
    Reply put = call("PUT", "/v1/riders/r-1/profile", "{\"name\":\"안나\", \"n\":1.0}");
    assertThat(put.body()).isEqualTo("{\"items\":[{\"id\":\"m1\"}],\"progress\":{}}");
    assertThat(put.header("Content-Location")).isEqualTo(SHOWN);
    restart();
    assertThat(call("GET", "/v1/riders/r-1/profile", "").body())
        .isEqualTo("{\"name\":\"안나\",\"n\":1.0}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"from":"yesterday"}        | from      | not a time
          {"from":5,"to":5}           | to        | not after from
          {"to":1,"to":2}             | to        | given twice
          {"id":"m2"}                 | id        | not that of the path
          {"riders":[]}               | riders    | names nobody
          {"riders":"r-1"}            | riders    | not an array
          {"riders":["a",7]}          | riders[1] | not a string
          {"riders":["a",""]}         | riders[1] | empty
          [1]                         | body      | object
          {"a":                       | body      | ''
          """)
  void wrongMission_isNamed_andNotKept(String body, String field, String reason) throws Exception {
    Reply reply = mission("m1", body);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.at("/field")).isEqualTo(field);
    assertThat(reply.at("/reason")).contains(reason);
    assertThat(call("GET", "/v1/missions/m1", "").status()).isEqualTo(404);
  }

  @Test
  void whatIsTooLarge_orNowhere_isNamed() throws Exception {
    Reply large = mission("m1", "{\"text\":\"" + "x".repeat(64 << 10) + "\"}");
    assertThat(large.at("/field")).isEqualTo("body");
    assertThat(mission("a%2Fb", "{}").at("/field")).isEqualTo("id");
    assertThat(mission("x".repeat(65), "{}").at("/field")).isEqualTo("id");
    assertThat(mission("%F0%9F%9B%B5".repeat(64), "{}").status()).isEqualTo(200);
    mission("m1", "{}");
    Reply none = progress("m2", "{}");
    assertThat(none.status()).isEqualTo(404);
    assertThat(none.at("/field")).isEqualTo("mission");
    assertThat(progress("m1", "{\"settledAt\":1}").at("/field")).isEqualTo("settledAt");
    assertThat(progress("m1", "7").at("/field")).isEqualTo("body");
    assertThat(progress("m1", "{\"x\":\"" + "x".repeat(4 << 10) + "\"}").status()).isEqualTo(413);
  }

  @Test
  void riderWhoCannotBe_isNamed() throws Exception {
    String long129 = "x".repeat(129);
    assertThat(call("GET", "/v1/riders/" + long129 + "/missions", "").at("/field")).isEqualTo("id");
    assertThat(call("PUT", "/v1/riders/a%0Ab/profile", "{}").at("/field")).isEqualTo("id");
  }

  @Test
  void riderKey_readsSettlesAndChangesItsOwn_butPutsNoProgress() throws Exception {
    mission("m1", "{}");
    String key =
        server.key("{\"name\":\"app\",\"scopes\":[\"collect\",\"read\"],\"rider\":\"r-1\"}");
    assertThat(callWith(key, "GET", SHOWN, "").status()).isEqualTo(200);
    assertThat(callWith(key, "POST", SHOWN + "/settle", "").status()).isEqualTo(200);
    assertThat(callWith(key, "PUT", "/v1/riders/r-1/profile", "{}").status()).isEqualTo(200);
    assertThat(callWith(key, "PUT", SHOWN + "/m1/progress", "{}").status()).isEqualTo(403);
    assertThat(callWith(key, "GET", "/v1/riders/r-2/missions", "").status()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "gzip", "zstd"})
  void codings_areTheSameJson_withATagEach(String coding) throws Exception {
    for (int i = 0; i < 40; i++) {
      String riders = i % 3 == 0 ? ",\"riders\":[\"r-1\"]" : "";
      mission("m" + i, "{\"title\":\"미션 " + i + " " + "abc".repeat(100 + i) + "\"" + riders + "}");
      progress("m" + i, "{\"count\":" + i + "}");
    }
    JsonNode plain = JSON.readTree(shown());
    HttpResponse<byte[]> packed = packed(coding, "");
    assertThat(packed.headers().firstValue("Content-Encoding").orElse("identity"))
        .isEqualTo(coding);
    assertThat(packed.headers().allValues("Vary")).contains("Accept-Encoding");
    assertThat(packed.headers().firstValue("Cache-Control").orElse(""))
        .isEqualTo("private, max-age=0, stale-while-revalidate=60");
    assertThat(JSON.readTree(unpacked(coding, packed.body()))).isEqualTo(plain);
    assertThat(plain.path("items")).hasSize(40);
    assertThat(plain.path("progress")).hasSize(40);

    String tag = packed.headers().firstValue("ETag").orElse("");
    assertThat(tag).startsWith("\"");
    HttpResponse<byte[]> same = packed(coding, "\"x\", " + tag);
    assertThat(same.statusCode()).isEqualTo(304);
    assertThat(same.body()).isEmpty();
    assertThat(same.headers().firstValue("ETag")).contains(tag);
    assertThat(packed(coding, "W/" + tag).statusCode()).isEqualTo(304);
    String another = coding.equals("gzip") ? "zstd" : "gzip";
    assertThat(packed(another, tag).statusCode()).isEqualTo(200);
    progress("m7", "{\"count\":8}");
    assertThat(packed(coding, tag).statusCode()).isEqualTo(200);
    progress("m7", "{\"count\":7}");
    assertThat(packed(coding, tag).statusCode()).isEqualTo(304);
    mission("m0", "{\"riders\":[\"r-1\"]}");
    assertThat(packed(coding, tag).statusCode()).isEqualTo(200);
  }

  private HttpResponse<byte[]> packed(String coding, String tag) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri(SHOWN))
            .header("X-Api-Key", server.adminKey())
            .header("Accept-Encoding", coding);
    if (!tag.isEmpty()) {
      request.header("If-None-Match", tag);
    }
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  private static String unpacked(String coding, byte[] body) throws Exception {
    try (InputStream in = new ByteArrayInputStream(body);
        InputStream plain =
            switch (coding) {
              case "gzip" -> new GZIPInputStream(in);
              case "zstd" -> new ZstdInputStream(in);
              default -> in;
            }) {
      return new String(plain.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
