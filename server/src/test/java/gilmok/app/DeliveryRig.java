package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.http.ReasonCheck;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** A whole server, by default with its documents in SQLite, and the calls that tests make. */
abstract class DeliveryRig {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path data;
  RunningServer server;
  final HttpClient client = HttpClient.newHttpClient();

  /** An answer, with its headers. */
  record Reply(int status, String body, HttpResponse<String> response) {
    JsonNode json() {
      return JSON.readTree(body);
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    /** The text at a JSON pointer of the body; empty when there is none. */
    String at(String pointer) {
      return json().at(pointer).asString("");
    }
  }

  @BeforeEach
  void start() throws Exception {
    server = RunningServer.start(data, settings());
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    client.close();
  }

  String[] settings() {
    return new String[0];
  }

  void restart() throws Exception {
    server.close();
    server = RunningServer.start(data, settings());
  }

  /** The body of an order of shop-1. */
  static String order(String orderId) {
    return order(orderId, "shop-1", "");
  }

  static String order(String orderId, String shop, String more) {
    return "{\"orderId\":\"%s\",\"shopId\":\"%s\",\"pickup\":%s,\"dropoff\":%s%s}"
        .formatted(
            orderId,
            shop,
            "{\"lat\":37.5,\"lon\":127.0,\"address\":\"A\"}",
            "{\"lat\":37.6,\"lon\":127.1,\"address\":\"B\",\"phone\":\"010\"}",
            more);
  }

  Reply call(String method, String path, String body, String... headers) throws Exception {
    return callWith(server.adminKey(), method, path, body, headers);
  }

  Reply callWith(String key, String method, String path, String body, String... headers)
      throws Exception {
    return callAt(server.uri(path), key, method, body, headers);
  }

  /** Sends a request to any server. */
  Reply callAt(URI uri, String key, String method, String body, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).method(method, BodyPublishers.ofString(body));
    if (!key.isEmpty()) {
      request.header("X-Api-Key", key);
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
    ReasonCheck.answer(response.body());
    return new Reply(response.statusCode(), response.body(), response);
  }

  /** Creates a delivery; returns its id. */
  String created(String order) throws Exception {
    Reply reply = call("POST", "/v1/deliveries", order);
    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    return reply.at("/id");
  }

  /** Creates a delivery, accepts it and assigns it to rider r-1; returns its id. */
  String assigned(String orderId) throws Exception {
    String id = created(order(orderId));
    assertThat(step(id, "accept", "").status()).isEqualTo(200);
    assertThat(step(id, "assign", "{\"riderId\":\"r-1\"}").status()).isEqualTo(200);
    return id;
  }

  Reply step(String id, String step, String body, String... headers) throws Exception {
    return call("POST", "/v1/deliveries/" + id + "/" + step, body, headers);
  }

  JsonNode delivery(String id) throws Exception {
    Reply reply = call("GET", "/v1/deliveries/" + id, "");
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply.json();
  }

  /** Types and sequences of a delivery's events, as in {@code created/1}. */
  List<String> events(String id) throws Exception {
    return call("GET", "/v1/deliveries/" + id + "/events", "")
        .json()
        .path("items")
        .valueStream()
        .map(
            event ->
                event.path("type").asString().substring("delivery.".length())
                    + "/"
                    + event.path("sequence").asInt())
        .toList();
  }

  /** Sends a rider's action. It is on disk on return, and is processed some time later. */
  void act(String rider, String id, String type, String more) throws Exception {
    Reply reply =
        call(
            "POST",
            "/v1/actions",
            "{\"riderId\":\"%s\",\"at\":%d,\"type\":\"%s\",\"deliveryId\":\"%s\"%s}"
                .formatted(rider, System.currentTimeMillis(), type, id, more));
    assertThat(reply.status()).as(reply.body()).isEqualTo(202);
  }

  /** Waits until all actions in the log have been processed. */
  void awaitActions() throws Exception {
    Program.await(() -> server.metric("gilmok_deliveries_lag_records") == 0);
  }
}
