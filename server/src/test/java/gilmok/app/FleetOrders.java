package gilmok.app;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.json.JsonMapper;

/**
 * An order system before several nodes: it takes one delivery after the other from order to door,
 * and sends each request again, with the same {@code Idempotency-Key}, until it is answered.
 */
final class FleetOrders {
  /** What a delivery's history must be. */
  static final List<String> HISTORY =
      List.of(
          "delivery.created",
          "delivery.accepted",
          "delivery.assigned",
          "delivery.picked_up",
          "delivery.completed");

  private static final List<String> STEPS = List.of("accept", "assign", "pickup", "complete");
  private static final long PAUSE_NANOS = 150_000_000;
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private final HttpClient client = HttpClient.newHttpClient();
  private final JsonMapper mapper = new JsonMapper();
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final Map<String, Integer> completed = new ConcurrentHashMap<>();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final URI balancer;
  private final Thread thread;

  FleetOrders(URI balancer) {
    this.balancer = balancer;
    thread = Thread.ofVirtual().start(this::run);
  }

  private void run() {
    try {
      for (int i = 0; !isOver.get() && wrong.isEmpty(); i++) {
        String order = "order-" + i;
        String id = answered("/v1/deliveries", DeliveryRig.order(order), order);
        for (String step : STEPS) {
          String body = step.equals("assign") ? "{\"riderId\":\"rider-1\"}" : "";
          answered("/v1/deliveries/" + id + "/" + step, body, order + step);
        }
        completed.put(id, HISTORY.size());
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (InterruptedException stopped) {
      wrong.add("interrupted");
    }
  }

  /** The delivery's id, of the answer that says that it is done. */
  private String answered(String path, String body, String key) throws InterruptedException {
    while (wrong.isEmpty()) {
      int status;
      String text;
      try {
        HttpResponse<String> response =
            client.send(request(path, body, key), BodyHandlers.ofString());
        status = response.statusCode();
        text = response.body();
      } catch (IOException gone) {
        status = 503;
        text = "";
      }
      if (status == 200 || status == 201) {
        return mapper.readTree(text).path("id").asString();
      }
      if (status < 500 && status != 429) {
        wrong.add(path + ": " + status + " " + text);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return "";
  }

  private HttpRequest request(String path, String body, String key) {
    return HttpRequest.newBuilder(balancer.resolve(path))
        .header("X-Api-Key", AckPhones.KEY)
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", key)
        .timeout(PATIENCE)
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  /** The number of events of each delivery that is completed, by its id. */
  Map<String, Integer> completed() {
    return Map.copyOf(completed);
  }

  /** Answers that nobody may get. */
  List<String> wrong() {
    return List.copyOf(wrong);
  }

  /** Waits until so many more are completed. */
  void awaitMore(int deliveries) throws Exception {
    int from = completed.size();
    Program.await(() -> completed.size() >= from + deliveries || !wrong.isEmpty());
  }

  /** Ends with the delivery under way. */
  void end() throws InterruptedException {
    isOver.set(true);
    thread.join();
  }

  void close() throws InterruptedException {
    end();
    client.close();
  }
}
