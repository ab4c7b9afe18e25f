package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import gilmok.event.JsonBuffer;
import java.io.ByteArrayInputStream;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
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
import tools.jackson.databind.JsonNode;

/** Riders of a server, with all that it can hold of one; and their erasure. */
final class RiderLife {
  private static final long PATIENCE_NANOS = 600_000_000_000L;
  private static final long LOOK_NANOS = 50_000_000;

  final long now = Instant.now().toEpochMilli() / 1000 * 1000;
  private RunningServer server;

  RiderLife(RunningServer server) {
    this.server = server;
  }

  /** The same riders, of a process that was started later, or of another node. */
  void of(RunningServer other) {
    server = other;
  }

  static String path(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  JsonNode send(String key, String method, String path, String body, int status) throws Exception {
    Reply reply = server.send(key, method, path, "application/json", body);
    assertThat(reply.status()).as(method + " " + path + ": " + reply.body()).isEqualTo(status);
    return reply.json();
  }

  JsonNode send(String method, String path, String body, int status) throws Exception {
    return send(server.adminKey(), method, path, body, status);
  }

  /**
   * A rider.
   *
   * @param tag of the ids of what there is of the rider
   */
  record Person(String id, String tag, String phone, double lat, double lon) {
    /** The id as it is in JSON, without quotation marks. */
    String inJson() {
      JsonBuffer quoted = new JsonBuffer().string(id);
      return quoted.toString().substring(1, quoted.toString().length() - 1);
    }

    String url(String rest) {
      return "/v1/riders/" + path(id) + rest;
    }
  }

  /** All that there can be of riders, of whom more than one can have been there before. */
  void live(List<Person> riders) throws Exception {
    send(
        "PUT",
        "/v1/partners/shop-1",
        "{\"kind\":\"shop\",\"url\":\"https://shop.invalid/hook\",\"events\":[\"*\"],"
            + "\"secret\":\"whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODk=\"}",
        201);
    for (Person rider : riders) {
      live(rider);
    }
    for (Person rider : riders) {
      Program.await(() -> statement(rider.id).path("count").asInt() == 2);
    }
    awaitShipped();
  }

  private void live(Person rider) throws Exception {
    String inJson = rider.inJson();
    String key =
        server.key(
            "{\"name\":\"phone of %s\",\"scopes\":[\"collect\",\"read\"],\"rider\":\"%s\"}"
                .formatted(rider.id.length() < 100 ? inJson : rider.tag, inJson));
    send("PUT", rider.url("/consent"), "{\"state\":\"granted\"}", 200);
    send("PUT", "/v1/devices/" + rider.phone, "{\"riderId\":\"" + inJson + "\"}", 200);
    ride(key, rider);
    deliver(key, rider);
    String entry =
        "{\"id\":\"bonus-of-%s\",\"riderId\":\"%s\",\"at\":%d,\"kind\":\"incentive\",\"amount\":500}"
            .formatted(rider.tag, inJson, now);
    send("POST", "/v1/statement-entries", entry, 200);
    send("PUT", rider.url("/profile"), "{\"home\":\"" + inJson + "\"}", 200);
    String mission = "{\"goal\":5,\"riders\":[\"%s\"]}".formatted(inJson);
    send("PUT", "/v1/missions/m-" + rider.tag, mission, 200);
    send("PUT", rider.url("/missions/m-" + rider.tag + "/progress"), "{\"count\":2}", 200);
    send(key, "GET", rider.url("/missions"), "", 200);
    String day = LocalDate.ofInstant(Instant.ofEpochMilli(now), ZoneOffset.UTC).toString();
    send("GET", "/v1/performance?from=" + day + "&to=" + day, "", 202);
    Program.await(() -> server.get(rider.url("/position")).status() == 200);
  }

  /** What the rider's phone sends, on its own: positions, one that cannot be used, and a line. */
  void ride(String key, Person rider) throws Exception {
    String inJson = rider.inJson();
    List<String> points = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      points.add(
          "{\"riderId\":\"%s\",\"at\":%d,\"lat\":%s,\"lon\":%s,\"attributes\":{\"who\":\"%s\"}}"
              .formatted(inJson, now - 60_000 + i * 1000, rider.lat, rider.lon, inJson));
    }
    send(key, "POST", "/v1/traces", "[" + String.join(",", points) + "]", 202);
    for (double lat : new double[] {rider.lat, 97.5}) { // the second one is quarantined
      String phoned =
          "/osmand?id=%s&lat=%s&lon=%s&timestamp=%d&key=%s"
              .formatted(rider.phone, lat, rider.lon, now, key);
      assertThat(server.send("", "GET", phoned, "", "").status()).isEqualTo(200);
    }
    String logged =
        "{\"riderId\":\"%s\",\"at\":%d,\"level\":\"warn\",\"message\":\"%s is lost\"}"
            .formatted(inJson, now, inJson);
    send(key, "POST", "/v1/logs", logged, 202);
  }

  private void deliver(String key, Person rider) throws Exception {
    String order = DeliveryRig.order("order-" + rider.tag, "shop-1", ",\"fee\":3500");
    String id = send("POST", "/v1/deliveries", order, 201).path("id").asString();
    send("POST", "/v1/deliveries/" + id + "/accept", "", 200);
    String assigned = "{\"riderId\":\"" + rider.inJson() + "\"}";
    send("POST", "/v1/deliveries/" + id + "/assign", assigned, 200);
    for (String type : List.of("pickup", "complete")) {
      long at = Instant.now().toEpochMilli();
      String done =
          "{\"riderId\":\"%s\",\"at\":%d,\"type\":\"%s\",\"deliveryId\":\"%s\",\"lat\":%s,\"lon\":%s}"
              .formatted(rider.inJson(), at, type, id, rider.lat, rider.lon);
      send(key, "POST", "/v1/actions", done, 202);
    }
    Program.await(() -> status(id).equals("COMPLETED"));
  }

  private String status(String delivery) throws Exception {
    return server.get("/v1/deliveries/" + delivery).json().path("status").asString();
  }

  void awaitShipped() throws Exception {
    Program.await(
        () -> {
          boolean isAll = true;
          for (JsonNode sink : server.get("/v1/sinks").json().path("items")) {
            isAll &= sink.path("waiting").asLong() == 0;
          }
          return isAll;
        });
  }

  JsonNode statement(String rider) throws Exception {
    LocalDate day = LocalDate.ofInstant(Instant.ofEpochMilli(now), ZoneOffset.UTC);
    String span = "from=" + day.minusDays(1) + "&to=" + day.plusDays(1);
    return send("GET", "/v1/riders/" + path(rider) + "/statement?" + span, "", 200).path("total");
  }

  String erase(String rider) throws Exception {
    String path = "/v1/riders/" + path(rider) + "/data";
    String confirm = send("DELETE", path, "", 409).path("confirm").asString();
    send("DELETE", path + "?confirm=x." + confirm, "", 409);
    send("DELETE", "/v1/riders/other/data?confirm=" + confirm, "", 409);
    return send("DELETE", path + "?confirm=" + confirm, "", 202).path("job").asString();
  }

  /** Files that were replaced stay for a minute, for readers in other processes. */
  JsonNode awaitErased(String id) throws Exception {
    long until = System.nanoTime() + PATIENCE_NANOS;
    JsonNode shown = server.get("/v1/erasures/" + id).json();
    while (!shown.path("state").asString().equals("done")) {
      assertThat(System.nanoTime() - until).as(shown.toString()).isNegative();
      LockSupport.parkNanos(LOOK_NANOS);
      shown = server.get("/v1/erasures/" + id).json();
    }
    return shown;
  }

  /** What the certificate says is left, by store. */
  static Map<String, List<String>> left(JsonNode certificate) {
    Map<String, List<String>> all = new TreeMap<>();
    for (JsonNode store : certificate.path("nodes").get(0).path("stores")) {
      for (JsonNode one : store.path("left")) {
        all.computeIfAbsent(store.path("store").asString(), _ -> new ArrayList<>())
            .add(one.path("place").asString() + ": " + one.path("key").asString());
      }
    }
    return all;
  }

  Map<String, List<String>> handedOut(String rider) throws Exception {
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
