package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Where the time of a request went, over HTTP. */
@Tag("process")
final class SlowRequestIT {
  private static final String POSITION = "{\"riderId\":\"r\",\"at\":1,\"lat\":1,\"lon\":1}";

  @TempDir Path data;
  private int positions;

  @Test
  void time_isTold_whereItIsAskedFor() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      Map<String, Double> collected = timing(server, server.adminKey(), "POST", "/v1/traces");
      for (int i = 0; !collected.containsKey("fsync") && i < 20; i++) {
        // The record was on disk before the event loop, on a busy machine, was done with it.
        collected = timing(server, server.adminKey(), "POST", "/v1/traces");
      }
      assertThat(collected)
          .containsKeys("admission", "body", "decode", "fsync", "loop", "unexplained", "total");
      double total = collected.getOrDefault("total", 0.0);
      assertThat(collected.get("fsync")).isPositive().isLessThan(total);
      double parts = 0;
      for (Map.Entry<String, Double> part : collected.entrySet()) {
        parts += part.getKey().equals("total") ? 0 : part.getValue();
      }
      assertThat(parts).isGreaterThanOrEqualTo(total - 0.02);

      Map<String, Double> read = timing(server, server.adminKey(), "GET", "/v1/deliveries?limit=5");
      assertThat(read).containsKeys("thread", "work", "documents-read", "loop", "total");

      String bound = server.key("{\"name\":\"b\",\"scopes\":[\"collect\"],\"rider\":\"r\"}");
      assertThat(timing(server, bound, "POST", "/v1/traces")).isEmpty();
    }
  }

  @Test
  void lists_tellMappingAndSerialising_onceEach() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      for (int i = 0; i < 5; i++) {
        String order = DeliveryRig.order("mapped-" + i);
        assertThat(server.post("/v1/deliveries", order).status()).isEqualTo(201);
      }
      String entry =
          """
          [{"id": "e1", "riderId": "r", "at": "2026-11-25T03:00:00Z",
            "kind": "incentive", "amount": 1000, "currency": "KRW"}]
          """;
      Reply posted = server.post("/v1/statement-entries", entry);
      assertThat(posted.status()).as(posted.body()).isEqualTo(200);
      for (String path :
          List.of(
              "/v1/deliveries?limit=5",
              "/v1/riders/r/statement?from=2026-11-01&to=2026-11-30&entries=true")) {
        Reply read = server.get(path);
        assertThat(read.status()).as(read.body()).isEqualTo(200);
      }
      JsonNode routes = server.get("/v1/slow").json().path("routes");
      for (JsonNode route : routes) {
        for (JsonNode one : route.path("slowest")) {
          List<String> names =
              one.path("parts").valueStream().map(part -> part.path("name").asString()).toList();
          assertThat(names).doesNotHaveDuplicates();
          if (route.path("route").asString().matches("GET /v1/(deliveries|.*statement.*)")) {
            assertThat(names).contains("mapping", "serialise", "documents-read", "work");
          }
        }
      }
      assertThat(routes.valueStream().map(it -> it.path("route").asString()))
          .contains("GET /v1/deliveries")
          .anyMatch(route -> route.matches("GET .*statement.*"));
    }
  }

  @Test
  void slowRequests_areShownByRoute_withWhatTheyWaitedFor() throws Exception {
    try (RunningServer server = RunningServer.start(data);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Reply slow = slow(server, threads, 0);
      for (int i = 1; slow.status() == 503 && i < 10; i++) { // it was locked for too long
        slow = slow(server, threads, i);
      }
      assertThat(slow.status()).as(slow.body()).isEqualTo(201);
      JsonNode all = server.get("/v1/slow").json();
      assertThat(all.at("/routes/0/route").asString()).isEqualTo("POST /v1/deliveries");
      JsonNode slowest =
          all.at("/routes/0/slowest")
              .valueStream()
              .filter(one -> one.path("status").asInt() == 201)
              .findFirst()
              .orElseThrow();
      JsonNode wait = part(slowest, "documents-commit");
      assertThat(wait.path("seconds").asDouble())
          .isGreaterThan(0.5 * slowest.path("seconds").asDouble());
      assertThat(slowest.path("isUnexplained").asBoolean()).isFalse();

      JsonNode one = server.get("/v1/slow?route=POST%20/v1/deliveries").json();
      assertThat(one.path("routes")).hasSize(1);
      assertThat(server.get("/v1/slow?route=none").json().path("routes")).isEmpty();
      assertThat(server.send("", "GET", "/v1/slow", "", "").status()).isEqualTo(401);
      String bound = server.key("{\"name\":\"b\",\"scopes\":[\"read\"],\"rider\":\"r\"}");
      assertThat(server.send(bound, "GET", "/v1/slow", "", "").status()).isEqualTo(403);
    }
  }

  @Test
  void batches_ofASink_tellWhereTheirTimeWent() throws Exception {
    try (RunningServer server = RunningServer.start(data, "sinks.enabled=files")) {
      assertThat(server.post("/v1/traces", "[" + POSITION + "]").status()).isEqualTo(202);
      Program.await(
          () -> server.get("/v1/slow?route=sink%20files").body().contains("\"attempt-1\""));
      JsonNode batch = server.get("/v1/slow?route=sink%20files").json().at("/routes/0/slowest/0");
      part(batch, "batch");
      part(batch, "attempt-1");
      assertThat(batch.path("status").asInt()).isZero();
      assertThat(batch.path("bytes").asInt()).isPositive();
      assertThat(server.get("/v1/ops").body()).contains("\"route\":\"sink files\"");
    }
  }

  /**
   * Makes a delivery while the documents are locked: for four times as long as the request was on
   * its way to them, so that this is most of its time on a busy machine, too.
   */
  private Reply slow(RunningServer server, ExecutorService threads, int number) throws Exception {
    String order = DeliveryRig.order("slow-" + number);
    try (Connection sqlite =
        DriverManager.getConnection("jdbc:sqlite:" + data.resolve("documents.db"))) {
      sqlite.createStatement().execute("BEGIN IMMEDIATE");
      long began = System.nanoTime();
      Future<Reply> slow = threads.submit(() -> server.post("/v1/deliveries", order));
      Program.await(
          () -> slow.isDone() || server.metric("gilmok_waiting{on=\"documents-commit\"}") == 1);
      long before = System.nanoTime() - began;
      Program.await(() -> slow.isDone() || System.nanoTime() - began > 5 * before);
      sqlite.createStatement().execute("ROLLBACK");
      return slow.get();
    }
  }

  private static JsonNode part(JsonNode request, String name) {
    return request
        .path("parts")
        .valueStream()
        .filter(part -> part.path("name").asString().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(request.toString()));
  }

  private Map<String, Double> timing(RunningServer server, String key, String method, String path)
      throws Exception {
    String fresh = POSITION.replace("\"at\":1", "\"at\":" + ++positions); // repeats are not forced
    HttpRequest request =
        HttpRequest.newBuilder(server.uri(path))
            .method(
                method,
                method.equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString(fresh))
            .header("X-Api-Key", key)
            .header("Content-Type", "application/json")
            .header("Prefer", "server-timing")
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> reply = client.send(request, BodyHandlers.ofString());
      Map<String, Double> parts = new LinkedHashMap<>();
      for (String part : reply.headers().firstValue("server-timing").orElse("").split(", ", -1)) {
        if (!part.isEmpty()) {
          String[] named = part.split(";dur=", -1);
          parts.put(named[0], Double.parseDouble(named[1]));
        }
      }
      return parts;
    }
  }
}
