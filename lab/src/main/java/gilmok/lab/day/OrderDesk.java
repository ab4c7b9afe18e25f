package gilmok.lab.day;

import gilmok.lab.LabClient;
import gilmok.lab.Reply;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fleet's own backend: it reports to the server what happens to orders. Thread-safe; calls
 * block, and fail with an {@link IOException} when the server refuses them or stays busy for some
 * seconds.
 */
public final class OrderDesk implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int TRIES = 20;
  private static final int UNAVAILABLE = 503;
  private static final int TOO_FAST = 429;

  /** Whether addresses are in Korean: as the terminal is. */
  private static final boolean KOREAN = Locale.getDefault().getLanguage().equals("ko");

  private final LabClient client;
  private final String url;
  private final String run;
  private final Map<String, String> ids = new ConcurrentHashMap<>();

  /**
   * A desk for a server.
   *
   * @param url the server's URL
   * @param key a key with the scopes operate, collect and read
   * @param run separates this run's orders from those of another
   */
  public OrderDesk(String url, String key, String run) {
    this.url = url;
    this.client = new LabClient(url, key, PATIENCE);
    this.run = run;
  }

  /** The URL of an order's page for its customer, with a link that expires. */
  public String track(Day.Order order) throws IOException, InterruptedException {
    JsonNode link = send(path(order, "track"), "").json();
    return URI.create(url).resolve(link.path("url").asString()).toString();
  }

  /** Drops the state of an order that needs no more requests. */
  public void forget(Day.Order order) {
    ids.remove(order.name());
  }

  private String path(Day.Order order, String step) {
    return "/v1/deliveries/" + ids.get(order.name()) + "/" + step;
  }

  /** Creates an order's delivery. */
  void create(Day.Order order, long readyAtMillis, @Nullable Long dueByMillis)
      throws IOException, InterruptedException {
    ObjectNode body = JsonMapper.shared().createObjectNode();
    body.put("orderId", run + "-" + order.name());
    body.put("shopId", "shop-" + order.restaurant().name());
    place(
        body.putObject("pickup"),
        order.restaurant().spot(),
        (KOREAN ? "가게 " : "Restaurant ") + order.restaurant().name());
    String customer = KOREAN ? "고객 " : "Customer of ";
    place(body.putObject("dropoff"), order.spot(), customer + order.name());
    body.put("readyAt", readyAtMillis);
    if (dueByMillis != null) {
      body.put("dueBy", dueByMillis);
    }
    JsonNode made = post("/v1/deliveries", body, "Idempotency-Key", run + "-" + order.name());
    ids.put(order.name(), made.path("id").asString());
  }

  private static void place(ObjectNode place, Spot spot, String address) {
    place.put("lat", spot.lat()).put("lon", spot.lon()).put("address", address);
  }

  /** Moves a delivery by one step, with the route of the step. */
  void step(Day.Order order, String step, ObjectNode body)
      throws IOException, InterruptedException {
    post(path(order, step), body);
  }

  /** Moves a delivery by one step, with an action of its rider. */
  void action(Day.Order order, String type, String courier, Spot spot, long atMillis)
      throws IOException, InterruptedException {
    ObjectNode body = JsonMapper.shared().createObjectNode();
    body.put("riderId", courier).put("at", atMillis).put("type", type);
    body.put("deliveryId", ids.get(order.name()));
    body.put("lat", spot.lat()).put("lon", spot.lon());
    body.put("id", run + "-" + order.name() + "-" + type);
    post("/v1/actions", body);
  }

  /** Sends positions in the format of phones. */
  void traces(String array) throws IOException, InterruptedException {
    send("/v1/traces", array);
  }

  /** The status of a delivery on the server. */
  String status(Day.Order order) throws IOException, InterruptedException {
    return client.get("/v1/deliveries/" + ids.get(order.name())).json().path("status").asString("");
  }

  private JsonNode post(String path, ObjectNode body, String... headers)
      throws IOException, InterruptedException {
    return send(path, body.toString(), headers).json();
  }

  /** Sends a request, and repeats it while the server is busy or unreachable for a moment. */
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
