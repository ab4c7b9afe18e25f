package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client of a server in a process of its own, which lets riders live and has them erased: among
 * others one of whom tests look for each byte.
 */
final class ErasedRider {
  static final String GONE = "gone-rider-7";
  static final String STAYS = "stays-rider-8";
  static final double LAT = 37.4321987;
  static final double LON = 127.1234765;
  static final FolderScan SCAN = new FolderScan(List.of(GONE, "gone-phone-7"), List.of(LAT, LON));

  private static final long PATIENCE_NANOS = 120_000_000_000L;
  private static final long LOOK_NANOS = 20_000_000;

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI base;
  private final String key;

  /** Makes each position another: they are sent in few seconds. */
  private int sent;

  private ErasedRider(URI base, String key) {
    this.base = base;
    this.key = key;
  }

  static ErasedRider at(Program program, Path data) throws IOException {
    return new ErasedRider(program.uri("/"), Files.readString(data.resolve("admin.key")).strip());
  }

  /** What such a server has: an archive of what is older than a month, and a sink of lines. */
  static String[] settings(Path files) {
    return new String[] {
      "--set=deliveries.keep=30 d",
      "--set=log.segment-bytes=9MiB",
      "--set=sinks.enabled=files",
      "--set=sinks.files.file-age-max=50ms",
      "--set=sinks.files.folder=" + files,
      "--set=sinks.save-interval=10ms",
      "--set=positions.snapshot-interval=1s"
    };
  }

  HttpResponse<String> ask(String method, String path, String type, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(base.resolve(path))
            .header("X-Api-Key", key)
            .header("Content-Type", type)
            .method(method, BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  JsonNode send(String method, String path, String body, int status) throws Exception {
    HttpResponse<String> answer = ask(method, path, "application/json", body);
    assertThat(answer.statusCode())
        .as(method + " " + path + ": " + answer.body())
        .isEqualTo(status);
    return JsonMapper.shared().readTree(answer.body().isEmpty() ? "null" : answer.body());
  }

  JsonNode get(String path) throws Exception {
    return send("GET", path, "", 200);
  }

  /** All that a node without other engines can hold of a rider. */
  void live(String rider, double lat, double lon) throws Exception {
    String phone = rider.replace("rider", "phone");
    long now = Instant.now().toEpochMilli() / 1000 * 1000;
    send(
        "POST",
        "/v1/keys",
        "{\"name\":\"phone of %s\",\"scopes\":[\"collect\"],\"rider\":\"%s\"}"
            .formatted(rider, rider),
        201);
    positions(rider, lat, lon, 200);
    send("PUT", "/v1/devices/" + phone, "{\"riderId\":\"" + rider + "\"}", 200);
    assertThat(
            ask(
                    "GET",
                    "/osmand?id=%s&lat=97.5&lon=%s&timestamp=%d&key=%s"
                        .formatted(phone, lon, now, key),
                    "text/plain",
                    "")
                .statusCode())
        .as("set aside")
        .isEqualTo(200);
    send(
        "POST",
        "/v1/logs",
        "{\"riderId\":\"%s\",\"at\":%d,\"level\":\"warn\",\"message\":\"%s is lost\"}"
            .formatted(rider, now, rider),
        202);
    send("POST", "/v1/deliveries", DeliveryRig.order("of-" + rider.charAt(0), "shop-1", ""), 201);
    String id = get("/v1/deliveries").path("items").path(0).path("id").asString();
    send("POST", "/v1/deliveries/" + id + "/accept", "", 200);
    send("POST", "/v1/deliveries/" + id + "/assign", "{\"riderId\":\"" + rider + "\"}", 200);
    send(
        "POST",
        "/v1/actions",
        ("{\"riderId\":\"%s\",\"at\":%d,\"type\":\"pickup\",\"deliveryId\":\"%s\",\"lat\":%s,"
                + "\"lon\":%s}")
            .formatted(rider, now, id, lat, lon),
        202);
    Program.await(() -> get("/v1/deliveries/" + id).path("status").asString().equals("PICKED_UP"));
    send(
        "POST",
        "/v1/statement-entries",
        "{\"id\":\"bonus-%s\",\"riderId\":\"%s\",\"at\":%d,\"kind\":\"incentive\",\"amount\":500}"
            .formatted(rider.charAt(0), rider, now),
        200);
    send("PUT", "/v1/riders/" + rider + "/profile", "{\"home\":\"" + rider + "\"}", 200);
    send(
        "PUT",
        "/v1/missions/m-" + rider.charAt(0),
        "{\"goal\":5,\"riders\":[\"%s\"]}".formatted(rider),
        200);
    longAgo(rider);
  }

  void positions(String rider, double lat, double lon, int count) throws Exception {
    long now = Instant.now().toEpochMilli() / 1000 * 1000;
    List<String> points = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      points.add(
          "{\"riderId\":\"%s\",\"at\":%d,\"lat\":%s,\"lon\":%s,\"id\":\"%d\"}"
              .formatted(rider, now - count * 1000L + i * 1000, lat, lon, sent++));
    }
    send("POST", "/v1/traces", "[" + String.join(",", points) + "]", 202);
  }

  /** Fills more than a segment with lines of others. */
  void fill() throws Exception {
    long now = Instant.now().toEpochMilli();
    String word = "x".repeat(1500);
    for (int request = 0; request < 14; request++) {
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < 600; i++) {
        lines.add(
            "{\"riderId\":\"r%d\",\"at\":%d,\"level\":\"info\",\"message\":\"%d %s\"}"
                .formatted(i, now, request, word));
      }
      send("POST", "/v1/logs", "[" + String.join(",", lines) + "]", 202);
    }
  }

  /** A delivery that is archived soon. */
  private void longAgo(String rider) throws Exception {
    Instant then = Instant.now().minus(40, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
    String place = "{\"lat\":37.5,\"lon\":127,\"address\":\"A\"}";
    String line =
        ("{\"orderId\":\"old-%s\",\"shopId\":\"s-1\",\"agencyId\":\"a-1\",\"status\":\"COMPLETED\","
                + "\"riderId\":\"%s\",\"fee\":3500,\"pickup\":%s,\"dropoff\":%s,\"createdAt\":\"%s\","
                + "\"assignedAt\":\"%s\",\"pickedUpAt\":\"%s\",\"completedAt\":\"%s\"}")
            .formatted(rider.charAt(0), rider, place, place, then, then, then, then);
    HttpResponse<String> answer =
        ask("POST", "/v1/imports/deliveries", "application/x-ndjson", line);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  /** Waits until all sinks have everything, and the archive has so many files. */
  void awaitSettled(Path data, int archived) throws Exception {
    Program.await(
        () -> {
          boolean isAll = true;
          for (JsonNode sink : get("/v1/sinks").path("items")) {
            isAll &= sink.path("waiting").asLong() == 0;
          }
          return isAll;
        });
    Path folder = data.resolve("archive/deliveries");
    Program.await(
        () -> {
          if (!Files.isDirectory(folder)) {
            return archived == 0;
          }
          try (var files = Files.list(folder)) {
            return files.filter(it -> it.toString().endsWith(".parquet")).count() >= archived;
          }
        });
  }

  String erase(String rider) throws Exception {
    String path = "/v1/riders/" + rider + "/data";
    String confirm = send("DELETE", path, "", 409).path("confirm").asString();
    return send("DELETE", path + "?confirm=" + confirm, "", 202).path("job").asString();
  }

  /** Waits for the certificate. */
  JsonNode awaitErased(String id) throws Exception {
    long until = System.nanoTime() + PATIENCE_NANOS;
    JsonNode shown = get("/v1/erasures/" + id);
    while (!shown.path("state").asString().equals("done")) {
      assertThat(System.nanoTime() - until).as(shown.toString()).isNegative();
      LockSupport.parkNanos(LOOK_NANOS);
      shown = get("/v1/erasures/" + id);
    }
    return shown;
  }

  boolean isReady() throws Exception {
    return ask("GET", "/health/ready", "text/plain", "").statusCode() == 200;
  }

  /** Nothing is lost, and the account adds up. */
  void checkLedger() throws Exception {
    JsonNode ledger = get("/v1/ledger");
    assertThat(ledger.path("residue").asInt()).as(ledger.toString()).isZero();
    for (JsonNode item : ledger.path("items")) {
      assertThat(item.path("lost").asInt()).as(item.toString()).isZero();
    }
  }

  /** The rider who stays is as before. */
  void checkOther() throws Exception {
    assertThat(get("/v1/riders/" + STAYS + "/position").path("riderId").asString())
        .isEqualTo(STAYS);
    long now = Instant.now().toEpochMilli();
    assertThat(
            get("/v1/riders/%s/trace?from=%d&to=%d&limit=1000"
                    .formatted(STAYS, now - 3_600_000, now + 60_000))
                .path("items"))
        .hasSize(200);
  }
}
