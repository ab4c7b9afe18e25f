package gilmok.lab.fleet;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The keys of a demo.
 *
 * @param map for who looks at the map
 * @param phones for the phones
 * @param desk for the fleet's own backend
 */
record DemoKeys(String map, String phones, String desk) {
  private static final String MAP = "demo-map";
  private static final String PHONES = "demo-phones";
  private static final String DESK = "demo-desk";
  private static final Duration READY_WAIT = Duration.ofMinutes(2);

  /**
   * Waits until a server is ready and makes the keys there, in place of an earlier demo's.
   *
   * @param given the key to use instead; null to make them
   * @param admin a key that may make keys
   */
  static DemoKeys at(String url, @Nullable String given, String admin)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      Desk desk = new Desk(client, url, admin);
      desk.awaitReady();
      if (given != null) {
        return new DemoKeys(given, given, given);
      }
      desk.revokeEarlier();
      return new DemoKeys(
          desk.create(MAP, "read"),
          desk.create(PHONES, "collect"),
          desk.create(DESK, "operate", "collect"));
    }
  }

  /** Where keys are made. */
  private record Desk(HttpClient client, String url, String admin) {
    void awaitReady() throws IOException, InterruptedException {
      long deadline = System.nanoTime() + READY_WAIT.toNanos();
      while (send("GET", "/health/ready", "").statusCode() != 200) {
        if (System.nanoTime() > deadline) {
          throw new IOException("the server was not ready in " + READY_WAIT.toSeconds() + " s");
        }
        Thread.sleep(50);
      }
    }

    void revokeEarlier() throws IOException, InterruptedException {
      for (JsonNode key : ask("GET", "/v1/keys", "").path("items")) {
        String name = key.path("name").asString("");
        if (Set.of(MAP, PHONES, DESK).contains(name)) {
          ask("DELETE", "/v1/keys/" + key.path("id").asString(""), "");
        }
      }
    }

    String create(String name, String... scopes) throws IOException, InterruptedException {
      String listed = String.join("\",\"", scopes);
      String body = "{\"name\":\"" + name + "\",\"scopes\":[\"" + listed + "\"]}";
      return ask("POST", "/v1/keys", body).path("key").asString("");
    }

    private JsonNode ask(String method, String path, String body)
        throws IOException, InterruptedException {
      HttpResponse<String> response = send(method, path, body);
      if (response.statusCode() / 100 != 2) {
        throw new IOException(
            method
                + " "
                + path
                + " was answered "
                + response.statusCode()
                + ": "
                + response.body());
      }
      String answer = response.body();
      return JsonMapper.shared().readTree(answer.isEmpty() ? "{}" : answer);
    }

    private HttpResponse<String> send(String method, String path, String body)
        throws IOException, InterruptedException {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(url + path))
              .header("X-Api-Key", admin)
              .header("Content-Type", "application/json")
              .timeout(Duration.ofSeconds(30))
              .method(method, HttpRequest.BodyPublishers.ofString(body))
              .build();
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }
}
