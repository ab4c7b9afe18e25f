package gilmok.lab.plan;

import gilmok.lab.Servers;
import gilmok.lab.Subject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks a server for run sheets, one after the other. Of one thread. */
final class PlanCaller implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final URI url;
  private final HttpClient client = HttpClient.newHttpClient();

  PlanCaller(Subject server) {
    url = URI.create(server.url() + "/v1/run-sheets");
  }

  /**
   * One plan.
   *
   * @throws IOException when it is refused
   */
  Planned plan(Case one, long budgetMillis) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(url)
            .timeout(PATIENCE)
            .header("X-Api-Key", Servers.KEY)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(one.body(budgetMillis)))
            .build();
    long began = System.nanoTime();
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    double waited = (System.nanoTime() - began) / 1e6;
    if (answer.statusCode() != 200) {
      throw new IOException(one.name() + ": " + answer.statusCode() + " " + answer.body());
    }
    JsonNode json = JsonMapper.shared().readTree(answer.body());
    return new Planned(
        json.get("cost").asLong(),
        json.get("optimal").asBoolean(),
        json.get("tookMs").asDouble(),
        waited);
  }

  @Override
  public void close() {
    client.close();
  }
}
