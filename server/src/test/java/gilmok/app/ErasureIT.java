package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import gilmok.redis.RedisServer;
import java.io.ByteArrayInputStream;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/** One rider among others, with all that this server can hold of one, is erased. */
@Tag("engine")
final class ErasureIT {
  /** Not the same in JSON as it is. */
  private static final String GONE = "gone \"7\" 길목";

  private static final String IN_JSON = "gone \\\"7\\\" 길목";
  private static final String STAYS = "stays-8";
  private static final double LAT = 37.4321987;
  private static final double LON = 127.1234765;
  private static final FolderScan SCAN =
      new FolderScan(List.of(GONE, "gone-phone"), List.of(LAT, LON));

  private static final long PATIENCE_NANOS = 600_000_000_000L;
  private static final long LOOK_NANOS = 50_000_000;

  private final long now = Instant.now().toEpochMilli() / 1000 * 1000;

  @TempDir Path data;
  @TempDir Path files;
  @TempDir Path texts;
  @TempDir Path redisFolder;
  private RedisServer redis;
  private RunningServer server;

  @BeforeEach
  void open() throws Exception {
    redis = RedisServer.any(redisFolder);
    server = start();
  }

  private RunningServer start() throws Exception {
    return RunningServer.start(
        data,
        "redis.url=" + redis.url(),
        "redis.prefix=" + data.getFileName(),
        "sinks.enabled=files,files-text,redis",
        "sinks.files.format=parquet",
        "sinks.files.file-age-max=50ms",
        "sinks.files.folder=" + files,
        "sinks.files-text.file-age-max=50ms",
        "sinks.files-text.folder=" + texts,
        "sinks.save-interval=10ms");
  }

  @AfterEach
  void close() throws Exception {
    server.close();
  }

  private static String path(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private JsonNode send(String key, String method, String path, String body, int status)
      throws Exception {
    Reply reply = server.send(key, method, path, "application/json", body);
    assertThat(reply.status()).as(method + " " + path + ": " + reply.body()).isEqualTo(status);
    return reply.body().isEmpty() ? NullNode.getInstance() : reply.json();
  }

  private JsonNode send(String method, String path, String body, int status) throws Exception {
    return send(server.adminKey(), method, path, body, status);
  }

  /** All that there can be of a rider. */
  private void live(String rider, String inJson, String phone, double lat, double lon)
      throws Exception {
    String key =
        server.key(
            "{\"name\":\"phone of %s\",\"scopes\":[\"collect\",\"read\"],\"rider\":\"%s\"}"
                .formatted(inJson, inJson));
    List<String> points = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      points.add(
          "{\"riderId\":\"%s\",\"at\":%d,\"lat\":%s,\"lon\":%s,\"attributes\":{\"who\":\"%s\"}}"
              .formatted(inJson, now - 60_000 + i * 1000, lat, lon, inJson));
    }
    send(key, "POST", "/v1/traces", "[" + String.join(",", points) + "]", 202);
    send("PUT", "/v1/devices/" + phone, "{\"riderId\":\"" + inJson + "\"}", 200);
    String osmand = "/osmand?id=%s&lat=%s&lon=%s&timestamp=%d&key=%s";
    Reply phoned = server.send("", "GET", osmand.formatted(phone, lat, lon, now, key), "", "");
    assertThat(phoned.status()).isEqualTo(200);
    Reply bad = server.send("", "GET", osmand.formatted(phone, 97.5, lon, now, key), "", "");
    assertThat(bad.status()).as("set aside").isEqualTo(200);
    send(
        key,
        "POST",
        "/v1/logs",
        "{\"riderId\":\"%s\",\"at\":%d,\"level\":\"warn\",\"message\":\"%s is lost\"}"
            .formatted(inJson, now, inJson),
        202);
    deliver(key, rider, inJson, lat, lon);
    send(
        "POST",
        "/v1/statement-entries",
        "{\"id\":\"bonus-of-%s\",\"riderId\":\"%s\",\"at\":%d,\"kind\":\"incentive\",\"amount\":500}"
            .formatted(rider.charAt(0), inJson, now),
        200);
    send("PUT", "/v1/riders/" + path(rider) + "/profile", "{\"home\":\"" + inJson + "\"}", 200);
    send(
        "PUT",
        "/v1/missions/m-" + rider.charAt(0),
        "{\"goal\":5,\"riders\":[\"%s\"]}".formatted(inJson),
        200);
    send(
        "PUT",
        "/v1/riders/" + path(rider) + "/missions/m-" + rider.charAt(0) + "/progress",
        "{\"count\":2}",
        200);
    send(key, "GET", "/v1/riders/" + path(rider) + "/missions", "", 200);
    String day = LocalDate.ofInstant(Instant.ofEpochMilli(now), ZoneOffset.UTC).toString();
    send("GET", "/v1/performance?from=" + day + "&to=" + day, "", 202);
  }

  private void deliver(String key, String rider, String inJson, double lat, double lon)
      throws Exception {
    String order = DeliveryRig.order("order-" + rider.charAt(0), "shop-1", ",\"fee\":3500");
    String id = send("POST", "/v1/deliveries", order, 201).path("id").asString();
    send("POST", "/v1/deliveries/" + id + "/accept", "", 200);
    send("POST", "/v1/deliveries/" + id + "/assign", "{\"riderId\":\"" + inJson + "\"}", 200);
    String action =
        "{\"riderId\":\"%s\",\"at\":%d,\"type\":\"%s\",\"deliveryId\":\"%s\",\"lat\":%s,\"lon\":%s}";
    for (String type : List.of("pickup", "complete")) {
      send(
          key,
          "POST",
          "/v1/actions",
          action.formatted(inJson, Instant.now().toEpochMilli(), type, id, lat, lon),
          202);
    }
    Program.await(
        () ->
            server
                .get("/v1/deliveries/" + id)
                .json()
                .path("status")
                .asString()
                .equals("COMPLETED"));
  }

  private void awaitShipped() throws Exception {
    Program.await(
        () -> {
          boolean isAll = true;
          for (JsonNode sink : server.get("/v1/sinks").json().path("items")) {
            isAll &= sink.path("waiting").asLong() == 0;
          }
          return isAll;
        });
  }

  private JsonNode statement(String rider) throws Exception {
    LocalDate day = LocalDate.ofInstant(Instant.ofEpochMilli(now), ZoneOffset.UTC);
    String span = "from=" + day.minusDays(1) + "&to=" + day.plusDays(1);
    return send("GET", "/v1/riders/" + path(rider) + "/statement?" + span, "", 200).path("total");
  }

  private String erase(String rider) throws Exception {
    String path = "/v1/riders/" + path(rider) + "/data";
    String confirm = send("DELETE", path, "", 409).path("confirm").asString();
    send("DELETE", path + "?confirm=x." + confirm, "", 409);
    send("DELETE", "/v1/riders/other/data?confirm=" + confirm, "", 409);
    return send("DELETE", path + "?confirm=" + confirm, "", 202).path("job").asString();
  }

  /** Files that were replaced stay for a minute, for readers in other processes. */
  private JsonNode awaitErased(String id) throws Exception {
    long until = System.nanoTime() + PATIENCE_NANOS;
    JsonNode shown = server.get("/v1/erasures/" + id).json();
    while (!shown.path("state").asString().equals("done")) {
      assertThat(System.nanoTime() - until).as(shown.toString()).isNegative();
      LockSupport.parkNanos(LOOK_NANOS);
      shown = server.get("/v1/erasures/" + id).json();
    }
    return shown;
  }

  private void live() throws Exception {
    live(STAYS, STAYS, "stays-phone", 37.6, 127.2);
    live(GONE, IN_JSON, "gone-phone", LAT, LON);
    Program.await(() -> statement(GONE).path("count").asInt() == 2);
    Program.await(() -> statement(STAYS).path("count").asInt() == 2);
    awaitShipped();
  }

  @Test
  void nothingIsLeftOfOne_inAnyByte_andTheOthersAreAsTheyWere() throws Exception {
    live();
    assertThat(SCAN.findings(data, files, texts))
        .as("what the scan would find")
        .anyMatch(found -> found.startsWith("log/"))
        .anyMatch(found -> found.startsWith("documents.db"))
        .anyMatch(found -> found.startsWith("devices"))
        .anyMatch(found -> found.matches("stream=traces/.*parquet rider_id: .*"))
        .anyMatch(found -> found.matches("stream=traces/.*parquet lat: .*"))
        .anyMatch(found -> found.matches("stream=logs/.*ndjson.*"));
    JsonNode before = statement(GONE);
    JsonNode others = statement(STAYS);
    String trace = "/v1/riders/%s/trace?from=" + (now - 3_600_000) + "&to=" + (now + 3_600_000);
    int kept = server.get(trace.formatted(STAYS)).json().path("items").size();
    assertThat(kept).isEqualTo(51);
    String node = server.get("/v1/ledger").json().path("node").asString();

    JsonNode certificate = awaitErased(erase(GONE));
    String pseudonym = certificate.path("pseudonym").asString();
    assertThat(certificate.toString()).doesNotContain("gone").doesNotContain("atLeast");
    Map<String, String> counts = new TreeMap<>();
    for (JsonNode store : certificate.path("nodes").get(0).path("stores")) {
      counts.put(
          store.path("store").asString(),
          store.path("erased").asInt() + " " + store.path("pseudonymised").asInt());
    }
    assertThat(counts)
        .containsEntry("keys", "1 0")
        .containsEntry("deliveries", "0 1")
        .containsEntry("statement-entries", "0 2")
        .containsEntry("missions", "3 0")
        .containsEntry("positions", "1 0")
        .containsEntry("devices", "1 0")
        .containsKeys("log", "files-files", "files-files-text", "redis", "jobs", "audit");

    assertThat(server.get("/v1/riders/" + path(GONE) + "/position").status()).isEqualTo(404);
    assertThat(server.get(trace.formatted(path(GONE))).json().path("items")).isEmpty();
    assertThat(server.get("/v1/logs?rider=" + path(GONE)).json().path("items")).isEmpty();
    assertThat(statement(pseudonym)).as("what was paid").isEqualTo(before);
    assertThat(statement(STAYS)).isEqualTo(others);
    assertThat(server.get(trace.formatted(STAYS)).json().path("items")).hasSize(kept);
    awaitShipped();
    JsonNode ledger = server.get("/v1/ledger").json();
    assertThat(ledger.path("residue").asInt()).as(ledger.toString()).isZero();
    assertThat(server.get("/v1/receipts/" + node + ":1").status()).isEqualTo(200);
    String audited = server.get("/v1/audit").body();
    assertThat(audited).contains("rider.erased").contains(pseudonym).doesNotContain("gone");

    server.close();
    assertThat(SCAN.findings(data, files, texts)).isEmpty();
    server = start();
    assertThat(SCAN.findings(data, files, texts)).as("after a start").isEmpty();
    assertThat(server.get("/v1/riders/" + path(GONE) + "/position").status()).isEqualTo(404);
    assertThat(server.get("/v1/riders/" + STAYS + "/position").status()).isEqualTo(200);
    assertThat(server.get(trace.formatted(STAYS)).json().path("items")).hasSize(kept);
    assertThat(server.get("/v1/ledger").json().path("residue").asInt()).isZero();
  }

  @Test
  void everythingIsHandedOut_ofThatRiderAlone_beforeIt_andNothingAfterwards() throws Exception {
    live();
    Map<String, List<String>> archive = handedOut(GONE);
    assertThat(archive.keySet())
        .contains(
            "devices.ndjson",
            "deliveries.ndjson",
            "statement-entries.ndjson",
            "profile.ndjson",
            "missions.ndjson",
            "traces.ndjson",
            "actions.ndjson",
            "logs.ndjson",
            "traces-of-files.ndjson");
    assertThat(archive.values()).noneMatch(List::isEmpty);
    assertThat(archive.get("traces.ndjson")).hasSize(51);
    assertThat(archive.get("traces-of-files.ndjson")).hasSize(51);
    assertThat(archive.get("actions.ndjson")).hasSize(2);
    assertThat(archive.get("statement-entries.ndjson")).hasSize(2);
    assertThat(archive.values().stream().flatMap(List::stream))
        .noneMatch(line -> line.contains(STAYS));
    awaitErased(erase(GONE));
    assertThat(handedOut(GONE).values()).allMatch(List::isEmpty);
    assertThat(handedOut(STAYS).values()).noneMatch(List::isEmpty);
  }

  @Test
  void handOut_isForTheRidersOwnKey_orOneThatOperates() throws Exception {
    String own = server.key("{\"name\":\"a\",\"scopes\":[\"read\"],\"rider\":\"r1\"}");
    String other = server.key("{\"name\":\"b\",\"scopes\":[\"read\"],\"rider\":\"r2\"}");
    String reader = server.key("{\"name\":\"c\",\"scopes\":[\"read\"]}");
    assertThat(server.send(own, "GET", "/v1/riders/r1/data", "", "").status()).isEqualTo(200);
    assertThat(server.send(other, "GET", "/v1/riders/r1/data", "", "").status()).isEqualTo(403);
    assertThat(server.send(reader, "GET", "/v1/riders/r1/data", "", "").status()).isEqualTo(403);
    assertThat(server.send(own, "DELETE", "/v1/riders/r1/data", "", "").status()).isEqualTo(403);
  }

  private Map<String, List<String>> handedOut(String rider) throws Exception {
    Map<String, List<String>> all = new TreeMap<>();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(server.uri("/v1/riders/" + path(rider) + "/data"))
              .header("X-Api-Key", server.adminKey())
              .build();
      byte[] bytes = client.send(request, BodyHandlers.ofByteArray()).body();
      try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
          String text = new String(zip.readAllBytes(), StandardCharsets.UTF_8);
          all.put(entry.getName(), text.lines().toList());
        }
      }
    }
    return all;
  }
}
