package gilmok.lab.fleet;

import gilmok.lab.LabClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The API keys of a demo.
 *
 * @param map the key for viewers of the map: it may do all that the page offers
 * @param phones the key of the phones
 * @param desk the key of the fleet's own backend
 */
record DemoKeys(String map, String phones, String desk) {
  private static final String MAP = "demo-map";
  private static final String PHONES = "demo-phones";
  private static final String DESK = "demo-desk";
  private static final Duration ANSWER_WAIT = Duration.ofSeconds(30);
  private static final Duration READY_WAIT = Duration.ofMinutes(2);

  /**
   * Waits until a server is ready, and makes the keys on it in place of an earlier demo's.
   *
   * @param given the key to use instead; null to make them
   * @param admin a key that may make keys
   */
  static DemoKeys at(String url, @Nullable String given, String admin)
      throws IOException, InterruptedException {
    try (LabClient client = new LabClient(url, admin, ANSWER_WAIT)) {
      awaitReady(client);
      if (given != null) {
        return new DemoKeys(given, given, given);
      }
      for (JsonNode key : client.json("/v1/keys").path("items")) {
        if (Set.of(MAP, PHONES, DESK).contains(key.path("name").asString(""))) {
          String path = "/v1/keys/" + key.path("id").asString("");
          LabClient.good("DELETE " + path, client.send("DELETE", path, ""));
        }
      }
      return new DemoKeys(
          create(client, MAP, "read", "operate"),
          create(client, PHONES, "collect"),
          create(client, DESK, "operate", "collect"));
    }
  }

  private static void awaitReady(LabClient client) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + READY_WAIT.toNanos();
    while (client.get("/health/ready").status() != 200) {
      if (System.nanoTime() > deadline) {
        throw new IOException("the server was not ready in " + READY_WAIT.toSeconds() + " s");
      }
      Thread.sleep(50);
    }
  }

  private static String create(LabClient client, String name, String... scopes)
      throws IOException, InterruptedException {
    String listed = String.join("\",\"", scopes);
    String body = "{\"name\":\"" + name + "\",\"scopes\":[\"" + listed + "\"]}";
    return LabClient.good("POST /v1/keys", client.post("/v1/keys", body))
        .json()
        .path("key")
        .asString("");
  }
}
