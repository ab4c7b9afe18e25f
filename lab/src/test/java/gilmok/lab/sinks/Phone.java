package gilmok.lab.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Servers;
import gilmok.lab.Subject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A phone that sends positions to servers, each with an id of its own, and remembers the record ids
 * of its receipts. One thread.
 */
final class Phone implements AutoCloseable {
  private static final long FIRST_MILLIS = System.currentTimeMillis() - 36_000_000;

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private final Set<String> receipts = new LinkedHashSet<>();
  private int next;

  /** The record ids of all positions that were accepted as new, as {@code node:sequence}. */
  Set<String> receipts() {
    return receipts;
  }

  /** The number of different positions made up until now. */
  int made() {
    return next;
  }

  /**
   * Sends that many new positions, in requests of the given size; fails unless all are accepted.
   */
  void send(Subject server, int count, int positionsPerRequest)
      throws IOException, InterruptedException {
    for (int sent = 0; sent < count; sent += positionsPerRequest) {
      String body = positions(Math.min(positionsPerRequest, count - sent));
      assertThat(post(server, body)).isEqualTo(202);
    }
  }

  /** A body with that many new positions. */
  String positions(int count) {
    return positions(count, "");
  }

  /** A body with that many new positions, each longer by {@code more} characters. */
  String longPositions(int count, int more) {
    return positions(count, noting("x".repeat(more)));
  }

  private String positions(int count, String more) {
    StringBuilder body = new StringBuilder("[");
    for (int i = 0; i < count; i++) {
      body.append(i == 0 ? "" : ",").append(position(next++, more));
    }
    return body.append(']').toString();
  }

  /** A body with one new position that has a note among its attributes. */
  String noted(String note) {
    return position(next++, noting(note));
  }

  private static String noting(String note) {
    return ",\"attributes\":{\"note\":\"" + note + "\"}";
  }

  private static String position(int number, String more) {
    return "{\"riderId\":\"rider-%d\",\"at\":%d,\"lat\":%.6f,\"lon\":127.01,\"id\":\"p-%d\"%s}"
        .formatted(
            number % 50, FIRST_MILLIS + number * 100L, 37.5 + number % 1000 / 1e5, number, more);
  }

  /**
   * Sends a body.
   *
   * @return the status; after a 202 the receipt's record ids are remembered
   */
  int post(Subject server, String body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + "/v1/traces"))
            .timeout(Duration.ofSeconds(20))
            .header("Content-Type", "application/json")
            .header("X-Api-Key", Servers.KEY)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() == 202) {
      JsonNode receipt = JsonMapper.shared().readTree(response.body()).path("receipt");
      for (long i = receipt.path("first").asLong(1); i <= receipt.path("last").asLong(0); i++) {
        receipts.add(receipt.path("node").asString("") + ":" + i);
      }
    }
    return response.statusCode();
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
