package gilmok.lab.rollback;

import gilmok.lab.LabClient;
import gilmok.lab.Reply;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * Has a server keep something of each kind: deliveries in each state, partners with webhooks that
 * wait, keys, phones with commands that wait, entries, missions, jobs, customers' links, records of
 * each stream. What it was told to keep it asks for at once, into the minutes. Blocks.
 *
 * <p>Not thread-safe.
 */
final class FolderWork {
  /** The steps to each state that a delivery can be in. */
  private static final List<List<String>> STEPS =
      List.of(
          List.of(),
          List.of("accept"),
          List.of("accept", "assign"),
          List.of("accept", "assign", "unassign"),
          List.of("accept", "assign", "pickup"),
          List.of("accept", "assign", "pickup", "complete"),
          List.of("decline"),
          List.of("accept", "cancel"),
          List.of("accept", "assign", "pickup", "fail"));

  private static final int SETTLE_TRIES = 200;

  private final String url;
  private final String key;
  private final String name;
  private final LabClient client;
  private final Minutes minutes;

  /**
   * Work on a server.
   *
   * @param name distinguishes what is made from that of other work on the same folder
   */
  FolderWork(String url, String key, String name, LabClient client, Minutes minutes) {
    this.url = url;
    this.key = key;
    this.name = name;
    this.client = client;
    this.minutes = minutes;
  }

  /** Does all of it. */
  void run() throws IOException, InterruptedException {
    minutes.forget("/v1/exports/");
    partners();
    keys();
    int completed = deliveries();
    phones();
    entries(completed);
    missions();
    records();
    job();
    for (String kind :
        List.of(
            "deliveries",
            "devices",
            "keys",
            "mission-progress",
            "missions",
            "partners",
            "profiles",
            "statement-entries")) {
      minutes.ask(url, key, "/v1/exports/" + kind);
    }
  }

  private void partners() throws IOException, InterruptedException {
    for (String kind : List.of("shop", "agency")) {
      String path = "/v1/partners/" + kind + "-" + name;
      put(
          path,
          "{\"kind\":\"%s\",\"url\":\"http://127.0.0.1:9/hook\",".formatted(kind)
              + "\"secret\":\"whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz\",\"events\":[\"*\"]}");
      minutes.ask(url, key, path + "?kind=" + kind);
    }
  }

  private void keys() throws IOException, InterruptedException {
    for (String bound :
        List.of("\"rider\":\"r-1\"", "\"shop\":\"shop-" + name + "\"", "\"rate\":1000")) {
      String called = bound.replaceAll("[^a-z]", "") + "-" + name;
      JsonNode made =
          post(
              "/v1/keys",
              "{\"name\":\"%s\",\"scopes\":[\"collect\",\"read\"],%s}".formatted(called, bound));
      String text = made.path("key").asString("");
      minutes.ask(url, text, "/v1/deliveries/of-nobody");
      minutes.ask(url, text, "/v1/riders/r-2/profile"); // another rider's: refused for one of them
    }
    JsonNode revoked = post("/v1/keys", "{\"name\":\"gone-" + name + "\",\"scopes\":[\"read\"]}");
    must("DELETE", "/v1/keys/" + revoked.path("id").asString(""), "");
    minutes.ask(url, revoked.path("key").asString(""), "/v1/riders/r-2/profile");
    minutes.ask(url, key, "/v1/riders/nobody/profile");
  }

  private int deliveries() throws IOException, InterruptedException {
    int completed = 0;
    for (int i = 0; i < 2 * STEPS.size(); i++) {
      List<String> steps = STEPS.get(i % STEPS.size());
      String order =
          ("{\"orderId\":\"%s\",\"shopId\":\"%s\",\"agencyId\":\"%s\",\"customerId\":\"c-17\","
                  + "\"pickup\":{\"lat\":37.4979,\"lon\":127.0276,\"address\":\"테헤란로 1\"},"
                  + "\"dropoff\":{\"lat\":37.5051,\"lon\":127.0411,\"address\":\"선릉로 9\","
                  + "\"phone\":\"010-0000-0000\"},\"fee\":3500,\"comment\":\"문 앞에\\n1234#\"}")
              .formatted("o-" + name + "-" + i, "shop-" + name, "agency-" + name);
      Reply reply =
          client.post("/v1/deliveries", order, "Idempotency-Key", "order-" + name + "-" + i);
      String path = "/v1/deliveries/" + LabClient.good(order, reply).json().path("id").asString("");
      for (String step : steps) {
        post(path + "/" + step, body(step));
      }
      completed += steps.contains("complete") ? 1 : 0;
      minutes.ask(url, key, path);
      minutes.ask(url, key, path + "/events");
      if (steps.contains("pickup") && i < STEPS.size()) {
        String link = post(path + "/track", "").path("url").asString("");
        minutes.ask(url, "", link.substring(link.indexOf("/track/")));
      }
    }
    return completed;
  }

  private static String body(String step) {
    return switch (step) {
      case "assign" -> "{\"riderId\":\"r-1\"}";
      case "complete" -> "{\"proof\":{\"kind\":\"code\",\"code\":\"4711\"}}";
      case "decline", "cancel", "fail" -> "{\"reason\":\"closed\"}";
      default -> "";
    };
  }

  private void phones() throws IOException, InterruptedException {
    for (int i = 0; i < 4; i++) {
      String device = "phone-" + name + "-" + i;
      put("/v1/devices/" + device, "{\"riderId\":\"r-%d\",\"group\":\"north\"}".formatted(i));
      String command =
          i % 2 == 0
              ? "{\"type\":\"text\",\"text\":\"positionPeriodic,60\"}"
              : "{\"type\":\"configure\",\"settings\":{\"_type\":\"configuration\"}}";
      post("/v1/devices/" + device + "/commands", command);
      minutes.ask(url, key, "/v1/devices/" + device);
    }
  }

  private void entries(int completed) throws IOException, InterruptedException {
    List<String> some = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      some.add(
          "{\"id\":\"e-%s-%d\",\"riderId\":\"r-%d\",\"at\":\"2026-11-%02dT09:00:00Z\","
                  .formatted(name, i, i % 3, 1 + i % 20)
              + "\"kind\":\"%s\",\"amount\":%d,\"currency\":\"%s\",\"distance\":820}"
                  .formatted(i % 4 == 0 ? "deduction" : "incentive", 100 + i, currency(i)));
    }
    post("/v1/statement-entries", "[" + String.join(",", some) + "]");
    // A completed delivery makes its entry a little later, by way of the log.
    for (int left = SETTLE_TRIES; madeByDeliveries() < completed; left--) {
      if (left == 0) {
        throw new IOException("completed deliveries made no entries");
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    minutes.forget("/v1/riders/r-1/statement");
    minutes.ask(url, key, "/v1/riders/r-1/statement?from=2026-11-01&to=2026-11-20");
  }

  private static String currency(int number) {
    return number % 5 == 0 ? "EUR" : "KRW";
  }

  private int madeByDeliveries() throws IOException, InterruptedException {
    int found = 0;
    for (JsonNode entry : client.json("/v1/exports/statement-entries").path("items")) {
      found += entry.path("id").asString("").startsWith("delivery:") ? 1 : 0;
    }
    return found;
  }

  private void missions() throws IOException, InterruptedException {
    String mission = "m-" + name;
    put("/v1/missions/" + mission, "{\"title\":\"비 오는 날\",\"riders\":[\"r-1\"]}");
    put("/v1/riders/r-1/missions/" + mission + "/progress", "{\"count\":3,\"1e2\":1e2}");
    put("/v1/riders/r-" + name + "/profile", "{\"name\":\"김길목\",\"vehicle\":\"bicycle\"}");
    minutes.ask(url, key, "/v1/missions/" + mission);
    minutes.ask(url, key, "/v1/riders/r-" + name + "/profile");
  }

  /** Records of each stream, one that is quarantined, and a rider who is not heard of again. */
  private void records() throws IOException, InterruptedException {
    long now = Instant.now().toEpochMilli();
    String rider = "silent-" + name;
    JsonNode trace =
        post(
            "/v1/traces",
            "[{\"riderId\":\"%1$s\",\"at\":%2$d,\"lat\":37.5,\"lon\":127,\"battery\":0.8},"
                    .formatted(rider, now)
                + "{\"riderId\":\"%1$s\",\"at\":%2$d,\"lat\":97,\"lon\":127}]"
                    .formatted(rider, now));
    receipt(trace);
    receipt(
        post(
            "/v1/actions",
            "{\"riderId\":\"%s\",\"at\":%d,\"type\":\"online\"}".formatted(rider, now)));
    receipt(
        post(
            "/v1/logs",
            "{\"riderId\":\"%s\",\"at\":%d,\"level\":\"warn\",\"message\":\"no fix\"}"
                .formatted(rider, now)));
    String position = "/v1/riders/" + rider + "/position";
    for (int left = SETTLE_TRIES; client.get(position).status() != 200; left--) {
      if (left == 0) {
        throw new IOException(position + " does not appear");
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
    minutes.ask(url, key, position);
  }

  private void receipt(JsonNode answer) throws IOException, InterruptedException {
    JsonNode receipt = answer.path("receipt");
    String id = receipt.path("node").asString("") + ":" + receipt.path("first").asLong();
    minutes.askBut(url, key, "/v1/receipts/" + id, "sinks");
  }

  private void job() throws IOException, InterruptedException {
    Reply reply = client.get("/v1/performance?from=2026-11-01&to=2026-11-02");
    String path = "/v1/jobs/" + LabClient.good("a job", reply).json().path("job").asString("");
    for (int left = SETTLE_TRIES;
        !client.json(path).path("state").asString("").equals("done");
        left--) {
      if (left == 0) {
        throw new IOException(path + " is not done");
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    minutes.ask(url, key, path);
  }

  private void put(String path, String body) throws IOException, InterruptedException {
    must("PUT", path, body);
  }

  private JsonNode post(String path, String body) throws IOException, InterruptedException {
    return must("POST", path, body);
  }

  private JsonNode must(String method, String path, String body)
      throws IOException, InterruptedException {
    return LabClient.good(method + " " + path, client.send(method, path, body)).json();
  }
}
