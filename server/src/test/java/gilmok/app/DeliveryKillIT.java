package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * kill -9 while deliveries move: every answered move is there afterwards, and none is half done.
 */
@Tag("process")
final class DeliveryKillIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LANES = 8;

  @TempDir Path data;

  /** The last version that was answered, by delivery id. */
  private final Map<String, Integer> answered = new ConcurrentHashMap<>();

  private final AtomicInteger orders = new AtomicInteger();

  @Test
  void whatWasAnswered_isThereAfterKill9() throws Exception {
    try (Program program = Program.serve(data)) {
      URI url = program.uri("");
      List<Thread> lanes =
          IntStream.range(0, LANES)
              .mapToObj(_ -> Thread.ofVirtual().start(() -> deliver(url)))
              .toList();
      Program.await(() -> answered.size() >= 200);
      program.kill();
      for (Thread lane : lanes) {
        lane.join();
      }
    }
    try (RunningServer again = RunningServer.start(data)) {
      for (Map.Entry<String, Integer> one : answered.entrySet()) {
        JsonNode found = again.get("/v1/deliveries/" + one.getKey()).json();
        // The move under way at the kill may be durable although its answer was lost.
        assertThat(found.path("version").asInt()).isBetween(one.getValue(), one.getValue() + 1);
        JsonNode events = again.get("/v1/deliveries/" + one.getKey() + "/events").json();
        assertThat(events.path("items").size()).isEqualTo(found.path("version").asInt());
      }
      assertThat(again.get("/v1/ledger").json().path("residue").asInt()).isZero();
    }
  }

  /** Takes one delivery after another from creation to completion, until the server is gone. */
  private void deliver(URI url) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      String key = Files.readString(data.resolve("admin.key")).strip();
      while (true) {
        String order = DeliveryRig.order("o" + orders.incrementAndGet());
        JsonNode created = post(client, key, url.resolve("/v1/deliveries"), order, 201);
        String id = created.path("id").asString();
        answered.put(id, 1);
        for (String step : List.of("accept", "assign", "pickup", "complete")) {
          String body = step.equals("assign") ? "{\"riderId\":\"r\"}" : "";
          URI path = url.resolve("/v1/deliveries/" + id + "/" + step);
          answered.put(id, post(client, key, path, body, 200).path("version").asInt());
        }
      }
    } catch (IOException killed) {
      // Expected: the server was killed.
    } catch (InterruptedException hurried) {
      throw new AssertionError(hurried);
    }
  }

  private static JsonNode post(HttpClient client, String key, URI path, String body, int status)
      throws IOException, InterruptedException {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(path)
                .POST(BodyPublishers.ofString(body))
                .header("X-Api-Key", key)
                .build(),
            BodyHandlers.ofString());
    if (response.statusCode() != status) {
      throw new AssertionError(response.statusCode() + " " + response.body());
    }
    return JSON.readTree(response.body());
  }
}
