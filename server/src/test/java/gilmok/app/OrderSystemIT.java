package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.app.RunningServer.Reply;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/beside-your-order-system.md, built and run beside a server. */
@Tag("contract")
final class OrderSystemIT {
  private static final String SECRET = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz";
  private static final Path EXAMPLE = Repository.root().resolve("examples/order-system");

  @TempDir Path data;
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void anOrder_isSent_ridden_andFollowed() throws Exception {
    OwnBuild.maven(EXAMPLE);
    int port = freePort();
    try (RunningServer server = RunningServer.start(data, "relay.private-networks=127.0.0.1")) {
      String key = server.key("{\"name\":\"orders\",\"scopes\":[\"operate\",\"read\"]}");
      Process example =
          OwnBuild.java(
              data,
              Map.of(
                  "GILMOK_URL",
                  server.uri("").toString(),
                  "GILMOK_KEY",
                  key,
                  "GILMOK_SECRET",
                  SECRET,
                  "GILMOK_WEBHOOKS",
                  "http://127.0.0.1:" + port + "/gilmok/webhooks",
                  "SERVER_PORT",
                  Integer.toString(port)),
              "-jar",
              EXAMPLE.resolve("target/order-system.jar").toString());
      try {
        URI orders = URI.create("http://127.0.0.1:" + port + "/orders");
        Program.await(() -> !example.isAlive() || answers(orders));
        assertThat(example.isAlive()).as("the example has started").isTrue();
        follow(server, orders);
        keyOfARider(server, orders);
        assertThat(send("POST", orders.resolve("/gilmok/webhooks"), "{}", "v1,none").statusCode())
            .isEqualTo(401);
      } finally {
        example.destroyForcibly().waitFor();
      }
    }
  }

  private void follow(RunningServer server, URI orders) throws Exception {
    String place = "{\"lat\":37.5,\"lon\":127.0,\"address\":\"A\"}";
    HttpResponse<String> added =
        send(
            "POST",
            orders,
            "{\"orderId\":\"o-1\",\"pickup\":%s,\"dropoff\":%s,\"fee\":3500}"
                .formatted(place, place),
            "");
    assertThat(added.statusCode()).as(added.body()).isEqualTo(201);
    URI order = URI.create(orders + "/o-1");
    Program.await(() -> send("GET", order, "", "").body().contains("\"status\":\"NEW\""));
    String id = server.get("/v1/deliveries").json().at("/items/0/id").asString();
    for (String step : new String[] {"accept", "assign", "pickup", "complete"}) {
      String body = step.equals("assign") ? "{\"riderId\":\"r-7\"}" : "";
      Reply moved = server.post("/v1/deliveries/" + id + "/" + step, body);
      assertThat(moved.status()).as(moved.body()).isEqualTo(200);
    }
    Program.await(() -> send("GET", order, "", "").body().contains("\"status\":\"COMPLETED\""));
    assertThat(send("GET", order, "", "").body()).contains("\"riderId\":\"r-7\"");
    assertThat(server.get("/v1/deliveries").json().path("items")).hasSize(1);
  }

  private void keyOfARider(RunningServer server, URI orders) throws Exception {
    HttpResponse<String> made = send("POST", orders.resolve("/riders/r-7/key"), "", "");
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    String key = made.body().replaceAll(".*\"key\":\"([^\"]+)\".*", "$1");
    for (String rider : new String[] {"r-7", "r-8"}) {
      Reply sent = server.send(key, "POST", "/v1/traces", "application/json", trace(rider));
      assertThat(sent.status()).isEqualTo(rider.equals("r-7") ? 202 : 403);
    }
  }

  private static String trace(String rider) {
    return "{\"riderId\":\"%s\",\"at\":1,\"lat\":1,\"lon\":1}".formatted(rider);
  }

  private boolean answers(URI uri) throws InterruptedException {
    try {
      return send("GET", URI.create(uri + "/none"), "", "").statusCode() == 404;
    } catch (ConnectException notYet) {
      return false;
    } catch (IOException broken) {
      return false;
    }
  }

  private HttpResponse<String> send(String method, URI uri, String body, String signature)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .method(method, BodyPublishers.ofString(body))
            .header("Content-Type", "application/json");
    if (!signature.isEmpty()) {
      request.header("webhook-id", "x").header("webhook-timestamp", "1");
      request.header("webhook-signature", signature);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }
}
