package gilmok.lab.torture;

import gilmok.lab.Reply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** Probes for every kind of request, and for the work behind them. Blocks. */
final class Probes {
  private static final AtomicInteger ROUNDS = new AtomicInteger();

  private final World world;
  private final Caller caller;
  private final Journal journal;
  private final String rider;
  private final int round;
  private final AtomicInteger fixes = new AtomicInteger();
  private String lastDone = "";

  Probes(World world) {
    this.world = world;
    this.caller = world.caller();
    this.journal = world.journal();
    this.round = ROUNDS.incrementAndGet();
    this.rider = "probe-" + round;
  }

  /**
   * Runs all probes until they succeed or the deadline has passed.
   *
   * @return the errors by probe
   */
  Map<String, String> run(long deadlineNanos) throws InterruptedException {
    Map<String, String> wrong = new TreeMap<>();
    List<String> done = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (Probe probe : all()) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    String last;
                    try {
                      last = probe.await(deadlineNanos);
                    } catch (InterruptedException ended) {
                      last = "not asked to the end";
                    } catch (RuntimeException odd) {
                      last = "not understood: " + odd;
                    }
                    synchronized (wrong) {
                      done.add(probe.name());
                      if (!last.isEmpty()) {
                        wrong.put(probe.name(), last);
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    lastDone = done.getLast();
    return wrong;
  }

  /** The probe that succeeded last; empty before they were run. */
  String lastDone() {
    return lastDone;
  }

  private List<Probe> all() {
    return List.of(
        new Probe("ready", () -> good(caller.get("/health/ready"))),
        new Probe("position", this::position),
        new Probe("near", this::near),
        new Probe("stream", this::stream),
        new Probe("action", () -> collect("actions", ",\"type\":\"button\"")),
        new Probe("log line", () -> collect("logs", ",\"level\":\"info\",\"message\":\"probe\"")),
        new Probe("phone", this::phone),
        new Probe("delivery", () -> delivery(Order.Shop.GOOD)),
        new Probe("delivery of a moody partner", () -> delivery(Order.Shop.MOODY)),
        new Probe("list of deliveries", () -> good(caller.get("/v1/deliveries?limit=3"))),
        new Probe("mission", this::mission),
        new Probe("settling", () -> good(caller.post(missions() + "/settle", ""))),
        new Probe("statement", this::statement),
        new Probe("key", this::key),
        new Probe("sinks", this::sinks),
        new Probe("ledger", this::ledger),
        new Probe("quarantine", () -> good(caller.get("/v1/quarantine?limit=3"))),
        new Probe("metrics", () -> good(caller.get("/metrics"))),
        new Probe("run sheet", this::runSheet));
  }

  /** What is wrong with a response that should be 2xx; empty if nothing is. */
  static String good(Reply reply) {
    return reply.isGood() ? "" : reply.toString();
  }

  private String missions() {
    return "/v1/riders/" + rider + "/missions";
  }

  /** Sends a record of its own; a good response means that it is in the log. */
  private Reply put(String stream, String more) throws IOException, InterruptedException {
    int number = fixes.incrementAndGet();
    String id = "probe-" + round + "-" + number;
    journal.extras().sent(id);
    Reply reply =
        caller.post(
            "/v1/" + stream,
            String.format(
                Locale.ROOT,
                "{\"riderId\":\"%s\",\"at\":%d,\"id\":\"%s\"%s}",
                rider,
                journal.startMillis() + number,
                id,
                more));
    if (reply.status() == 202) {
      journal.extras().acknowledged(id);
    }
    return reply;
  }

  private String collect(String stream, String more) throws IOException, InterruptedException {
    return good(put(stream, more));
  }

  private static String fix(double lat) {
    return String.format(Locale.ROOT, ",\"lat\":%.4f,\"lon\":120.5", lat);
  }

  private String position() throws IOException, InterruptedException {
    double lat = 30 + fixes.get() / 1e4;
    String text = String.format(Locale.ROOT, "\"lat\":%s", Double.toString(lat));
    Reply put = put("traces", fix(lat));
    if (put.status() != 202) {
      return put.toString();
    }
    Reply reply = Reply.NONE;
    for (int i = 0; i < 20; i++) {
      reply = caller.get("/v1/riders/" + rider + "/position");
      if (reply.isGood() && isAtLeast(reply.json(), lat)) {
        return "";
      }
      Thread.sleep(50);
    }
    return "not what was sent (" + text + "): " + reply;
  }

  private static boolean isAtLeast(JsonNode position, double lat) {
    return position.path("lat").asDouble(0) >= lat - 1e-9;
  }

  private String near() throws IOException, InterruptedException {
    Reply reply = caller.get("/v1/riders?near=30,120.5&radius=200000&limit=1000");
    return reply.isGood() && reply.body().contains("\"" + rider + "\"")
        ? ""
        : "without " + rider + ": " + reply;
  }

  private String stream() throws IOException, InterruptedException {
    String path = "/v1/stream/positions?rider=" + rider;
    try (StreamLane.Reading reading = StreamLane.open(world.node().port(), path, "")) {
      String status = reading.line();
      if (!status.contains("200")) {
        return status;
      }
      int number = fixes.get() + 1;
      put("traces", fix(30 + number / 1e4));
      return reading.await("\"" + rider + "\"", Duration.ofSeconds(2)) ? "" : "no event";
    }
  }

  private String phone() throws IOException, InterruptedException {
    return good(caller.put("/v1/devices/phone-" + rider, "{\"riderId\":\"" + rider + "\"}"));
  }

  /**
   * Creates and accepts a delivery: its customer's page must show it, and its partner must receive
   * both events.
   */
  private String delivery(Order.Shop shop) throws IOException, InterruptedException {
    Order order =
        journal.order(
            number ->
                new Order(number, shop, rider, List.of(Edge.ACCEPTED, Edge.CANCELLED), false));
    Mover mover = new Mover(caller, journal);
    for (int i = 0; i < 10 && order.version() < 2; i++) {
      mover.move(order);
    }
    if (order.version() < 2) {
      return "not created and accepted: " + order;
    }
    Reply link = caller.post("/v1/deliveries/" + order.id() + "/track", "");
    if (link.status() != 201) {
      return "no link: " + link;
    }
    Reply page =
        caller.send("GET", link.json().path("url").asString(""), "", "Accept", "application/json");
    if (!page.isGood()) {
      return "the customer sees " + page;
    }
    for (int i = 0; i < 40; i++) {
      if (world.partner(shop).book().taken(order.id()) >= 2) {
        return "";
      }
      Thread.sleep(50);
    }
    return "its partner was not told: " + order;
  }

  private String mission() throws IOException, InterruptedException {
    Reply put = caller.put("/v1/missions/probe", "{\"title\":\"Probe\"}");
    if (!put.isGood()) {
      return put.toString();
    }
    Reply reply = caller.get(missions());
    return reply.isGood() && reply.body().contains("\"probe\"") ? "" : reply.toString();
  }

  private String statement() throws IOException, InterruptedException {
    List<Entries.Item> items = journal.entries().fresh(2, journal.startMillis());
    if (!EntriesLane.post(caller, journal, items)) {
      return "not posted";
    }
    return good(caller.get(StatementUrls.path(items.getFirst().rider(), journal.startMillis())));
  }

  private String key() throws IOException, InterruptedException {
    Reply made =
        caller.post(
            "/v1/keys", "{\"name\":\"" + journal.keys().name() + "\",\"scopes\":[\"read\"]}");
    if (made.status() != 201) {
      return made.toString();
    }
    String key = made.json().path("key").asString("");
    String used = good(caller.send("GET", "/v1/deliveries?limit=1", "", "X-Api-Key", key));
    Reply revoked = caller.delete("/v1/keys/" + made.json().path("id").asString(""));
    return used.isEmpty() ? good(revoked) : used;
  }

  /** Checks that a record reaches all sinks, by its receipt and by the sinks themselves. */
  private String sinks() throws IOException, InterruptedException {
    Reply put = put("traces", fix(30 + (fixes.get() + 1) / 1e4));
    if (put.status() != 202) {
      return put.toString();
    }
    JsonNode receipt = put.json().path("receipt");
    String node = receipt.path("node").asString("");
    long sequence = receipt.path("first").asLong(-1);
    String wrong = "";
    for (int i = 0; i < 40; i++) {
      wrong = notDelivered(caller.get("/v1/receipts/" + node + ":" + sequence));
      if (wrong.isEmpty()) {
        return arrived(node, sequence);
      }
      Thread.sleep(100);
    }
    return wrong;
  }

  private static String notDelivered(Reply reply) {
    if (!reply.isGood() || reply.json().path("sinks").isEmpty()) {
      return reply.toString();
    }
    for (JsonNode sink : reply.json().path("sinks")) {
      if (!sink.path("state").asString("").equals("delivered")) {
        return reply.toString();
      }
    }
    return "";
  }

  private String arrived(String node, long sequence) throws IOException {
    if (!world.firehose().kept().has(node, sequence)) {
      return "called delivered, and not at Firehose: " + node + ":" + sequence;
    }
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), world.redis().port())) {
      socket.setSoTimeout(2_000);
      String question = "HEXISTS gilmok:{b0}:positions " + rider + "\r\n";
      socket.getOutputStream().write(question.getBytes(StandardCharsets.US_ASCII));
      BufferedReader reader =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      String answer = reader.readLine();
      return ":1".equals(answer) ? "" : "called delivered, and not in Redis: " + answer;
    }
  }

  private String ledger() throws IOException, InterruptedException {
    Reply reply = caller.get("/v1/ledger");
    return reply.isGood() ? "" : reply.toString();
  }

  private String runSheet() throws IOException, InterruptedException {
    return good(
        caller.post(
            "/v1/run-sheets",
            "{\"start\":{\"lat\":37.4979,\"lon\":127.0276},\"speed\":5,\"serviceTime\":120,"
                + "\"orders\":[{\"orderId\":\"1\",\"pickup\":{\"lat\":37.4990,\"lon\":127.0301},"
                + "\"dropoff\":{\"lat\":37.5051,\"lon\":127.0411}}]}"));
  }
}
