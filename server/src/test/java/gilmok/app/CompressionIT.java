package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdInputStream;
import gilmok.config.InvalidSettings;
import java.io.ByteArrayInputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compression as a setting of a whole server's routes. */
@Tag("server")
final class CompressionIT {
  @TempDir Path data;

  private static HttpResponse<byte[]> send(
      RunningServer server, String method, String path, String codings) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(server.uri(path))
              .header("X-Api-Key", server.adminKey())
              .header("Accept-Encoding", codings)
              .method(method, BodyPublishers.noBody())
              .build(),
          BodyHandlers.ofByteArray());
    }
  }

  private static String coding(HttpResponse<?> answer) {
    return answer.headers().firstValue("content-encoding").orElse("");
  }

  @Test
  void answers_arePackedByTheLevelOfTheirRoute_andCounted() throws Exception {
    try (RunningServer server =
        RunningServer.start(data, "http.compression-levels=GET /v1/keys=0,GET /docs=0")) {
      for (int i = 0; i < 20; i++) {
        server.key("{\"name\":\"rider " + i + "\",\"scopes\":[\"collect\"]}");
      }
      assertThat(coding(send(server, "GET", "/v1/keys", "gzip"))).isEmpty();
      assertThat(coding(send(server, "GET", "/docs", "gzip"))).isEmpty();
      assertThat(coding(send(server, "GET", "/openapi.yaml", "gzip"))).isEqualTo("gzip");

      HttpResponse<byte[]> gzip = send(server, "GET", "/metrics", "gzip");
      assertThat(coding(gzip)).isEqualTo("gzip");
      try (var in = new GZIPInputStream(new ByteArrayInputStream(gzip.body()))) {
        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
            .contains("gilmok_http_compressed_total{coding=\"gzip\"} 0.0");
      }
      HttpResponse<byte[]> zstd = send(server, "GET", "/metrics", "gzip, zstd");
      assertThat(coding(zstd)).isEqualTo("zstd");
      String text;
      try (var in = new ZstdInputStream(new ByteArrayInputStream(zstd.body()))) {
        text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
      assertThat(text)
          .contains("gilmok_http_compressed_total{coding=\"gzip\"} 1.0")
          .contains("gilmok_http_compress_seconds_count{coding=\"gzip\"} 1");
      assertThat(server.metric("gilmok_http_compressed_after_bytes_total{coding=\"gzip\"}"))
          .isEqualTo(gzip.body().length);
      assertThat(server.metric("gilmok_http_compressed_before_bytes_total{coding=\"zstd\"}"))
          .isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
      assertThat(send(server, "HEAD", "/metrics", "gzip").headers().firstValue("vary"))
          .hasValue("Accept-Encoding");
    }
  }

  @Test
  void levels_ofRoutesThatAreNotThere_stopTheStart() {
    assertThatThrownBy(
            () ->
                RunningServer.start(
                    data,
                    "http.compression-levels=GET /v1/nothing=3,GET /metrics=2,PUT /metrics=1"))
        .isInstanceOfSatisfying(
            InvalidSettings.class,
            wrong ->
                assertThat(wrong.problems())
                    .satisfiesExactly(
                        line -> assertThat(line).contains("no route GET /v1/nothing;"),
                        line -> assertThat(line).contains("no route PUT /metrics;")));
  }
}
