package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A fleet that goes on asking a server on loopback while it is harmed. */
final class HarmedFleet implements AutoCloseable {
  private final HttpClient client = HttpClient.newHttpClient();
  private final AtomicBoolean loads = new AtomicBoolean(true);
  private final AtomicInteger completed = new AtomicInteger();
  private final int port;
  private final String key;

  HarmedFleet(int port, String key) {
    this.port = port;
    this.key = key;
  }

  /** What a fleet goes on sending, whatever it is answered. */
  void load() {
    for (int i = 0; loads.get(); i++) {
      String order = DeliveryRig.order("load-" + i);
      Thread.ofVirtual().start(() -> quietly("POST", "/v1/deliveries", order));
      quietly("POST", "/v1/actions", actions("load-" + i));
    }
  }

  /** A hundred actions that move no delivery. */
  static String actions(String name) {
    StringBuilder actions = new StringBuilder("[");
    for (int k = 0; k < 100; k++) {
      actions
          .append(k == 0 ? "" : ",")
          .append("{\"riderId\":\"r-1\",\"at\":1772355600000,\"id\":\"")
          .append(name)
          .append('-')
          .append(k)
          .append("\",\"type\":\"pickup\",\"deliveryId\":\"none\"}");
    }
    return actions.append(']').toString();
  }

  /** The action that moves an assigned delivery. */
  static String pickup(String delivery) {
    return "{\"riderId\":\"r-1\",\"at\":%d,\"type\":\"pickup\",\"deliveryId\":\"%s\"}"
        .formatted(System.currentTimeMillis(), delivery);
  }

  /** Positions of riders by their numbers. */
  static String riders(int from, int to) {
    StringBuilder positions = new StringBuilder("[");
    for (int i = from; i < to; i++) {
      positions
          .append(i == from ? "" : ",")
          .append("{\"riderId\":\"a-rider-with-a-long-name-")
          .append(i)
          .append("\",\"at\":")
          .append(System.currentTimeMillis())
          .append(",\"lat\":37.")
          .append(i)
          .append(",\"lon\":127.")
          .append(i)
          .append('}');
    }
    return positions.append(']').toString();
  }

  private void quietly(String method, String path, String body) {
    try {
      send(method, path, body);
    } catch (Exception away) {
      // The server is being harmed.
    }
  }

  /** Creates a delivery of r-1; returns its id. */
  String assigned(String order) throws Exception {
    String id = created(order);
    step(id, "accept", "");
    step(id, "assign", "{\"riderId\":\"r-1\"}");
    return id;
  }

  /** Creates a delivery that can be completed; returns its id. */
  String pickedUp(String order) throws Exception {
    String id = assigned(order);
    step(id, "pickup", "");
    return id;
  }

  /** Completes these deliveries one after another, whatever is answered. */
  void complete(List<String> ids) {
    for (String id : ids) {
      quietly("POST", "/v1/deliveries/" + id + "/complete", "");
      completed.incrementAndGet();
    }
  }

  /** Waits until so many have been completed. */
  void awaitCompleted(int count) throws Exception {
    Program.await(() -> completed.get() >= count);
  }

  private void step(String id, String step, String body) throws Exception {
    HttpResponse<String> answer = send("POST", "/v1/deliveries/" + id + "/" + step, body);
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
  }

  /** Creates a delivery with a fee; returns its id. */
  String created(String order) throws Exception {
    String body =
        send("POST", "/v1/deliveries", DeliveryRig.order(order, "shop-1", ",\"fee\":3500")).body();
    Matcher id = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(body);
    assertThat(id.find()).as(body).isTrue();
    return id.group(1);
  }

  /** Some 3 MB of log lines that compress badly. */
  static String lines() {
    byte[] noise = new byte[1500];
    StringBuilder json = new StringBuilder("[");
    for (int i = 0; i < 1000; i++) {
      ThreadLocalRandom.current().nextBytes(noise);
      json.append(i == 0 ? "" : ",").append("{\"riderId\":\"r-1\",\"at\":1772355600000");
      json.append(",\"level\":\"info\",\"message\":\"");
      json.append(HexFormat.of().formatHex(noise)).append("\"}");
    }
    return json.append(']').toString();
  }

  HttpResponse<String> send(String method, String path, String body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("X-Api-Key", key)
            .method(method, BodyPublishers.ofString(body, StandardCharsets.UTF_8));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  @Override
  public void close() {
    loads.set(false);
    client.close();
  }
}
