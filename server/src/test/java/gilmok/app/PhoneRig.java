package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import gilmok.http.ReasonCheck;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A whole server, a key with the scope collect, and phones that send to it. */
class PhoneRig {
  static final String FORM = "application/x-www-form-urlencoded";
  static final String JSON = "application/json";

  @TempDir Path data;
  RunningServer server;
  String key;
  final HttpClient client = HttpClient.newHttpClient();

  @BeforeEach
  void start() throws Exception {
    server = RunningServer.start(data, settings());
    key = server.key("{\"name\":\"phones\",\"scopes\":[\"collect\"]}");
  }

  String[] settings() {
    return new String[0];
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    server.close();
  }

  static String overland(String device) {
    return "{\"locations\":[{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\","
        + "\"coordinates\":[2,1.5]},\"properties\":{\"timestamp\":\"2026-03-01T09:00:00Z\","
        + "\"device_id\":\""
        + device
        + "\",\"speed\":3}}]}";
  }

  Reply bearer(String path, String body) throws Exception {
    return send(path, body, "Authorization", "Bearer " + key);
  }

  Reply ownTracks(String user, String device) throws Exception {
    String basic =
        Base64.getEncoder().encodeToString((user + ":" + key).getBytes(StandardCharsets.UTF_8));
    return send(
        "/pub?u=" + user + "&d=" + device,
        "{\"_type\":\"location\",\"lat\":1.5,\"lon\":2,\"tst\":"
            + System.currentTimeMillis() / 1000
            + "}",
        "Authorization",
        "Basic " + basic);
  }

  Reply send(String path, String body, String header, String value) throws Exception {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(server.uri(path))
                .POST(BodyPublishers.ofString(body))
                .header(header, value)
                .header("Content-Type", JSON)
                .build(),
            BodyHandlers.ofString());
    ReasonCheck.answer(response.body());
    return new Reply(response.statusCode(), response.body());
  }

  void tie(String device, String rider, @Nullable String group) throws Exception {
    String body =
        "{\"riderId\":\"" + rider + "\",\"group\":" + (group == null ? "null" : '"' + group + '"');
    Reply reply = server.send(server.adminKey(), "PUT", "/v1/devices/" + device, JSON, body + "}");
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
  }

  Reply command(String device, String body) throws Exception {
    return server.post("/v1/devices/" + device + "/commands", body);
  }

  /** Waits until the rider has a position; returns it. */
  JsonNode position(String rider) throws Exception {
    long until = System.nanoTime() + 20_000_000_000L;
    Reply reply = server.get("/v1/riders/" + rider + "/position");
    while (reply.status() != 200 && System.nanoTime() < until) {
      reply = server.get("/v1/riders/" + rider + "/position");
    }
    assertThat(reply.status()).as(rider).isEqualTo(200);
    return reply.json();
  }

  long durable() throws Exception {
    return metric("gilmok_log_durable_sequence");
  }

  long metric(String name) throws Exception {
    return server
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no metric " + name));
  }
}
