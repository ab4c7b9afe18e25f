package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples for nginx, as they stand in the docs, before real servers. */
final class NginxIT {
  private static final String PLAN =
      "{\"matrix\":[[0,1,2],[1,0,1],[2,1,0]],\"start\":0,\"orders\":["
          + "{\"orderId\":\"a\",\"pickup\":1,\"dropoff\":2}]}";
  private static final String POSITION =
      "{\"riderId\":\"r1\",\"at\":\"2026-01-05T09:00:00Z\",\"lat\":37.5,\"lon\":127.0}";

  @TempDir Path folder;

  /** The first block of that page in that language. */
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
}
