package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import gilmok.cli.Shell;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code POST /v1/phones} and {@code gilmok phones} with a whole server. */
@Tag("server")
final class PhonesIT {
  private static final String KEY = "gk_abcdefghijkl_0123456789";
  private static final String WISH =
      "{\"url\":\"https://fleet.example.com\",\"riderId\":\"r-7\",\"key\":\"" + KEY + "\"}";

  @TempDir Path data;

  @Test
  void post_givesEveryAppWithItsCode_andIsKeptByNobody() throws Exception {
    try (RunningServer server = RunningServer.start(data);
        HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response =
          client.send(
              HttpRequest.newBuilder(server.uri("/v1/phones"))
                  .header("X-Api-Key", server.adminKey())
                  .header("Content-Type", "application/json")
                  .POST(BodyPublishers.ofString(WISH))
                  .build(),
              BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.headers().firstValue("cache-control")).contains("no-store");
      JsonNode items = new Reply(200, response.body()).json().path("items");
      assertThat(items.size()).isEqualTo(8);
      for (JsonNode item : items) {
        assertThat(item.path("qr").asString()).startsWith("<svg ");
        assertThat(item.path("url").asString()).startsWith("https://fleet.example.com/");
        assertThat(item.path("settings").toString()).contains(KEY);
      }
      assertThat(items.path(0).path("app").asString()).isEqualTo("owntracks");
      assertThat(items.path(0).path("keyPlace").asString()).isEqualTo("basic");
    }
  }

  @Test
  void post_wrong_namesFieldAndReason() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      Reply unknown = server.post("/v1/phones", WISH.replace("riderId", "rider"));
      assertThat(unknown.status()).isEqualTo(400);
      assertThat(unknown.json().path("field").asString()).isEqualTo("rider");
      Reply badUrl = server.post("/v1/phones", WISH.replace("https://", ""));
      assertThat(badUrl.status()).isEqualTo(400);
      assertThat(badUrl.json().path("field").asString()).isEqualTo("url");
      assertThat(badUrl.body()).contains("is no URL");
      assertThat(server.post("/v1/phones", "nothing").status()).isEqualTo(400);
      String reading = server.key("{\"name\":\"reading\",\"scopes\":[\"read\"]}");
      assertThat(server.send(reading, "POST", "/v1/phones", "application/json", WISH).status())
          .isEqualTo(403);
    }
  }

  @Test
  void command_makesAKeyThatTheRiderCanSendWith() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      Shell.Result result =
          Shell.run(
              "phones",
              "--rider=r-7",
              "--app=owntracks",
              "--no-qr",
              "--url=" + server.uri(""),
              "--data=" + data,
              "--phone-url=https://fleet.example.com");
      assertThat(result.err()).isEmpty();
      assertThat(result.out()).contains("\nThis new key expires at 20");
      String key = result.out().lines().findFirst().orElse("").replaceAll(".*, key ", "");
      String body = "{\"riderId\":\"r-7\",\"at\":1,\"lat\":1,\"lon\":1}";
      assertThat(server.send(key, "POST", "/v1/traces", "application/json", body).status())
          .isEqualTo(202);
      String others = body.replace("r-7", "r-8");
      assertThat(server.send(key, "POST", "/v1/traces", "application/json", others).status())
          .isEqualTo(403);
      assertThat(server.send(key, "GET", "/v1/riders/r-7/position", "", "").status())
          .isEqualTo(403);
      String fix = "{\"_type\":\"location\",\"tst\":1772355605,\"lat\":37.5,\"lon\":127}";
      String path = "/pub?u=r-7&d=phone";
      assertThat(server.send(key, "POST", path, "application/json", fix).body()).isEqualTo("[]");
      assertThat(server.get("/v1/devices/r-7-phone").json().path("riderId").asString())
          .isEqualTo("r-7");
    }
  }
}
