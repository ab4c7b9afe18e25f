package gilmok.lab.day;

import gilmok.lab.LabClient;
import gilmok.lab.Reply;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fleet's own backend: tells the server what happens to orders. Thread-safe; calls block, and
 * fail with an {@link IOException} when the server refuses, or is busy for some seconds.
 */
public final class OrderDesk implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int TRIES = 20;
  private static final int UNAVAILABLE = 503;
  private static final int TOO_FAST = 429;

  private final LabClient client;
  private final String url;
  private final String run;
  private final Map<String, String> ids = new ConcurrentHashMap<>();

  /**
   * @param url of the server
   * @param key whose scopes are operate, collect and read
   * @param run sets this run's orders apart from those of another
   */
  public OrderDesk(String url, String key, String run) {
    this.url = url;
    this.client = new LabClient(url, key, PATIENCE);
    this.run = run;
  }

  /** The customer's page of an order that was created: its address, with a link that expires. */
  public String track(Day.Order order) throws IOException, InterruptedException {
    JsonNode link = send(path(order, "track"), "").json();
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
    ObjectNode body = JsonMapper.shared().createObjectNode();
    body.put("orderId", run + "-" + order.name());
    body.put("shopId", "shop-" + order.restaurant().name());
    place(
        body.putObject("pickup"),
        order.restaurant().spot(),
        "Restaurant " + order.restaurant().name());
    place(body.putObject("dropoff"), order.spot(), "Customer of " + order.name());
    body.put("readyAt", readyAtMillis);
    JsonNode made = post("/v1/deliveries", body, "Idempotency-Key", run + "-" + order.name());
    ids.put(order.name(), made.path("id").asString());
  }

  private static void place(ObjectNode place, Spot spot, String address) {
    place.put("lat", spot.lat()).put("lon", spot.lon()).put("address", address);
  }

  /** A step of a delivery, by its route. */
  void step(Day.Order order, String step, ObjectNode body)
      throws IOException, InterruptedException {
    post(path(order, step), body);
  }

  /** A step of a delivery, as its rider's action. */
  void action(Day.Order order, String type, String courier, Spot spot, long atMillis)
      throws IOException, InterruptedException {
    ObjectNode body = JsonMapper.shared().createObjectNode();
    body.put("riderId", courier).put("at", atMillis).put("type", type);
    body.put("deliveryId", ids.get(order.name()));
    body.put("lat", spot.lat()).put("lon", spot.lon());
    body.put("id", run + "-" + order.name() + "-" + type);
    post("/v1/actions", body);
  }

  /** Positions, as their phones would send them. */
  void traces(String array) throws IOException, InterruptedException {
    send("/v1/traces", array);
  }

  /** What the server says of a delivery. */
  String status(Day.Order order) throws IOException, InterruptedException {
    return client.get("/v1/deliveries/" + ids.get(order.name())).json().path("status").asString("");
  }

  private JsonNode post(String path, ObjectNode body, String... headers)
      throws IOException, InterruptedException {
    return send(path, body.toString(), headers).json();
  }

  /** Tries again while the server says that it is busy, or is not there for a moment. */
  private Reply send(String path, String body, String... headers)
      throws IOException, InterruptedException {
    IOException last = new IOException(path);
    for (int i = 0; i < TRIES; i++) {
      try {
        Reply reply = client.post(path, body, headers);
        if (reply.status() != UNAVAILABLE && reply.status() != TOO_FAST) {
          return LabClient.good(path, reply);
        }
        last = new IOException(path + ": " + reply);
      } catch (java.net.ConnectException | java.net.http.HttpTimeoutException gone) {
        last = gone;
      }
      TimeUnit.MILLISECONDS.sleep(250);
    }
    throw last;
  }

  @Override
  public void close() {
    client.close();
  }
}
