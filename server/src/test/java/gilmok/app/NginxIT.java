package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The docs' examples for nginx, in front of real servers. */
@Tag("engine")
final class NginxIT {
  private static final String PLAN =
      "{\"matrix\":[[0,1,2],[1,0,1],[2,1,0]],\"start\":0,\"orders\":["
          + "{\"orderId\":\"a\",\"pickup\":1,\"dropoff\":2}]}";
  private static final String POSITION =
      "{\"riderId\":\"r1\",\"at\":\"2026-01-05T09:00:00Z\",\"lat\":37.5,\"lon\":127.0}";

  @TempDir Path folder;

  /** The first code block in that language on a page of docs/. */
  private static String example(String page, String language) throws Exception {
    String text = Files.readString(Path.of("../docs", page));
    String begin = "```" + language + "\n";
    int from = text.indexOf(begin);
    assertThat(from).as("%s in %s", language, page).isNotNegative();
    return text.substring(from + begin.length(), text.indexOf("```", from + begin.length()));
  }

  private static String address(RunningServer server) {
    return server.uri("").getAuthority();
  }

  private static int post(HttpClient client, String key, String url, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .header("X-Api-Key", key)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
  }

  @Test
  void runSheets_goToServersOfTheirOwn_alsoWhenOneOfThemIsGone() throws Exception {
    String page = example("run-sheets-serving.md", "nginx");
    int gone = Nginx.freePort();
    try (RunningServer phones = RunningServer.start(folder.resolve("a"), "only=collect");
        RunningServer planners =
            RunningServer.start(
                folder.resolve("b"), "only=run-sheets", "run-sheets.process=inside");
        Nginx nginx =
            Nginx.start(
                Files.createDirectory(folder.resolve("nginx")),
                page.replace("10.0.0.11:8080", address(phones))
                    .replace("10.0.0.21:8080", "127.0.0.1:" + gone)
                    .replace("10.0.0.22:8080", address(planners)));
        HttpClient client = HttpClient.newHttpClient()) {
      for (int i = 0; i < 10; i++) {
        assertThat(post(client, planners.adminKey(), nginx.url() + "/v1/run-sheets", PLAN))
            .isEqualTo(200);
      }
      assertThat(post(client, phones.adminKey(), nginx.url() + "/v1/traces", POSITION))
          .isEqualTo(202);
      assertThat(phones.post("/v1/run-sheets", PLAN).status())
          .as("where phones go nothing is planned")
          .isEqualTo(404);
    }
  }

  private static HttpResponse<byte[]> get(String url, String key, String... headers)
      throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(url)).header("X-Api-Key", key);
      if (headers.length > 0) {
        request.headers(headers);
      }
      return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }
  }

  private static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  private static byte[] gunzipped(byte[] packed) throws Exception {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return in.readAllBytes();
    }
  }

  @Test
  void compression_leftToNginx_isDoneThere_andWeakTagsAreKnown() throws Exception {
    try (RunningServer server =
            RunningServer.start(folder.resolve("a"), "http.compression=off", "only=collect");
        Nginx nginx =
            Nginx.start(
                Files.createDirectory(folder.resolve("nginx")),
                example("compression.md", "nginx").replace("10.0.0.11:8080", address(server)))) {
      String key = server.adminKey();
      for (int i = 0; i < 20; i++) {
        server.key("{\"name\":\"rider " + i + "\",\"scopes\":[\"collect\"]}");
      }
      for (String path : List.of("/", "/v1/keys", "/openapi.yaml")) {
        byte[] plain = get(server.uri(path).toString(), key).body();
        HttpResponse<byte[]> ours =
            get(server.uri(path).toString(), key, "Accept-Encoding", "gzip, zstd");
        assertThat(ours.headers().map()).doesNotContainKeys("content-encoding", "vary");
        assertThat(ours.body()).isEqualTo(plain);

        HttpResponse<byte[]> packed = get(nginx.url() + path, key, "Accept-Encoding", "gzip");
        assertThat(header(packed, "content-encoding")).as(path).isEqualTo("gzip");
        assertThat(header(packed, "vary")).isEqualTo("Accept-Encoding");
        assertThat(gunzipped(packed.body())).isEqualTo(plain);
        assertThat(get(nginx.url() + path, key).body()).isEqualTo(plain);
      }
      String strong = header(get(server.uri("/").toString(), key), "etag");
      assertThat(strong).startsWith("\"");
      String tag = header(get(nginx.url() + "/", key, "Accept-Encoding", "gzip"), "etag");
      assertThat(tag).isEqualTo("W/" + strong);
      HttpResponse<byte[]> again =
          get(nginx.url() + "/", key, "Accept-Encoding", "gzip", "If-None-Match", tag);
      assertThat(again.statusCode()).isEqualTo(304);
      assertThat(again.body()).isEmpty();
    }
  }

  @Test
  void compression_ours_passesThroughAnNginxThatPacksToo() throws Exception {
    try (RunningServer server = RunningServer.start(folder.resolve("a"), "only=collect");
        Nginx nginx =
            Nginx.start(
                Files.createDirectory(folder.resolve("nginx")),
                example("compression.md", "nginx").replace("10.0.0.11:8080", address(server)))) {
      String key = server.adminKey();
      byte[] plain = get(server.uri("/").toString(), key).body();
      HttpResponse<byte[]> packed = get(nginx.url() + "/", key, "Accept-Encoding", "gzip");
      assertThat(header(packed, "content-encoding")).isEqualTo("gzip");
      assertThat(gunzipped(packed.body())).isEqualTo(plain);
      String tag = header(packed, "etag");
      assertThat(tag).startsWith("\"").endsWith("-gzip\"");
      assertThat(
              get(nginx.url() + "/", key, "Accept-Encoding", "gzip", "If-None-Match", tag)
                  .statusCode())
          .isEqualTo(304);
    }
  }
}
