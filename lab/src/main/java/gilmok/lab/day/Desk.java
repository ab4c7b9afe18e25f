package gilmok.lab.day;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fleet's own backend: tells the server what happens to orders. Thread-safe; calls block, and
 * fail with an {@link IOException} when the server refuses, or is busy for some seconds.
 */
public final class Desk implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int TRIES = 20;
  private static final int UNAVAILABLE = 503;
  private static final int TOO_FAST = 429;

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();
  private final JsonMapper json = JsonMapper.shared();
  private final String url;
  private final String key;
  private final String run;
  private final Map<String, String> ids = new ConcurrentHashMap<>();

  /**
   * @param url of the server
   * @param key whose scopes are operate, collect and read
   * @param run sets this run's orders apart from those of another
   */
  public Desk(String url, String key, String run) {
    this.url = url;
    this.key = key;
    this.run = run;
  }

  /** The customer's page of an order that was created: its address, with a link that expires. */
  public String track(Day.Order order) throws IOException, InterruptedException {
    JsonNode link = json.readTree(send(path(order, "track"), new byte[0], null));
    return URI.create(url).resolve(link.path("url").asString()).toString();
  }

  /** Nothing more is asked of an order. */
  public void forget(Day.Order order) {
    ids.remove(order.name());
  }

  private String path(Day.Order order, String step) {
    return "/v1/deliveries/" + ids.get(order.name()) + "/" + step;
  }

  void create(Day.Order order, long readyAtMillis) throws IOException, InterruptedException {
    ObjectNode body = json.createObjectNode();
    body.put("orderId", run + "-" + order.name());
    body.put("shopId", "shop-" + order.restaurant().name());
    place(
        body.putObject("pickup"),
        order.restaurant().spot(),
        "Restaurant " + order.restaurant().name());
    place(body.putObject("dropoff"), order.spot(), "Customer of " + order.name());
    body.put("readyAt", readyAtMillis);
    JsonNode made = post("/v1/deliveries", body, run + "-" + order.name());
    ids.put(order.name(), made.path("id").asString());
  }

  private static void place(ObjectNode place, Spot spot, String address) {
    place.put("lat", spot.lat()).put("lon", spot.lon()).put("address", address);
  }

  /** A step of a delivery, by its route. */
  void step(Day.Order order, String step, ObjectNode body)
      throws IOException, InterruptedException {
    post(path(order, step), body, null);
  }

  /** A step of a delivery, as its rider's action. */
  void action(Day.Order order, String type, String courier, Spot spot, long atMillis)
      throws IOException, InterruptedException {
    ObjectNode body = json.createObjectNode();
    body.put("riderId", courier).put("at", atMillis).put("type", type);
    body.put("deliveryId", ids.get(order.name()));
    body.put("lat", spot.lat()).put("lon", spot.lon());
    body.put("id", run + "-" + order.name() + "-" + type);
    post("/v1/actions", body, null);
  }

  /** Positions, as their phones would send them. */
  void traces(byte[] array) throws IOException, InterruptedException {
    send("/v1/traces", array, null);
  }

  /** What the server says of a delivery. */
  String status(Day.Order order) throws IOException, InterruptedException {
    HttpRequest request = request("/v1/deliveries/" + ids.get(order.name()), null).GET().build();
    HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    return json.readTree(answer.body()).path("status").asString();
  }

  private JsonNode post(String path, ObjectNode body, @Nullable String idempotency)
      throws IOException, InterruptedException {
    return json.readTree(send(path, json.writeValueAsBytes(body), idempotency));
  }

  /** Tries again while the server says that it is busy, or is not there for a moment. */
  private byte[] send(String path, byte[] body, @Nullable String idempotency)
      throws IOException, InterruptedException {
    HttpRequest request =
        request(path, idempotency).POST(HttpRequest.BodyPublishers.ofByteArray(body)).build();
    IOException last = null;
    for (int i = 0; i < TRIES; i++) {
      try {
        HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        if (answer.statusCode() / 100 == 2) {
          return answer.body();
        }
        last = new IOException(path + ": " + answer.statusCode() + " " + text(answer.body()));
        if (answer.statusCode() != UNAVAILABLE && answer.statusCode() != TOO_FAST) {
          throw last;
        }
      } catch (java.net.ConnectException | java.net.http.HttpTimeoutException gone) {
        last = gone;
      }
      TimeUnit.MILLISECONDS.sleep(250);
    }
    throw last == null ? new IOException(path) : last;
  }

  private HttpRequest.Builder request(String path, @Nullable String idempotency) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(PATIENCE)
            .header("X-Api-Key", key)
            .header("Content-Type", "application/json");
    return idempotency == null ? request : request.header("Idempotency-Key", idempotency);
  }

  private static String text(byte[] body) {
    return new String(body, java.nio.charset.StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    client.close();
  }
}
