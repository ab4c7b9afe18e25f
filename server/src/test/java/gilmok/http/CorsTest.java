package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests from web pages of other origins. */
@Tag("server")
final class CorsTest {
  private static final String ORIGIN = "Origin: https://map.example";

  @Test
  void origin_allowed_maySeeTheReply() throws Exception {
    try (Edge edge = new Edge(config -> config.origins(List.of("https://map.example")));
        Wire wire = edge.wire()) {
      Wire.Answer asked =
          wire.head("OPTIONS /echo HTTP/1.1", ORIGIN, "Access-Control-Request-Method: POST").read();
      assertThat(asked.status()).isEqualTo(204);
      assertThat(asked.header("access-control-allow-methods")).isEqualTo("POST");
      assertThat(asked.header("access-control-allow-headers")).contains("x-api-key");
      assertThat(asked.header("access-control-allow-origin")).isEqualTo("https://map.example");
      Wire.Answer answer = wire.get("/query?q=1", ORIGIN).read();
      assertThat(answer.header("access-control-allow-origin")).isEqualTo("https://map.example");
      assertThat(answer.header("vary")).isEqualTo("origin");
      assertThat(wire.get("/none", ORIGIN).read().header("access-control-allow-origin"))
          .isEqualTo("https://map.example");
      Wire.Answer other = wire.get("/query?q=1", "Origin: https://evil.example").read();
      assertThat(other.header("access-control-allow-origin")).isEmpty();
      assertThat(
              wire.head(
                      "OPTIONS /echo HTTP/1.1",
                      "Host: t",
                      "Origin: https://evil.example",
                      "Access-Control-Request-Method: POST")
                  .read()
                  .status())
          .isEqualTo(405);
    }
  }

  @Test
  void cors_off_saysNothing() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      assertThat(wire.get("/query?q=1", ORIGIN).read().header("access-control-allow-origin"))
          .isEmpty();
    }
  }
}
