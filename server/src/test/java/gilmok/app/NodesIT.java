package gilmok.app;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.documents.MongoServer;
import gilmok.documents.MongoWire;
import gilmok.redis.RedisServer;
import gilmok.sinks.kafka.KafkaKit;
import gilmok.sinks.kafka.KafkaTopics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Two servers, then three, then two behind ops/nginx/nodes.conf, with three brokers that
 * acknowledge ({@code collect.ack: kafka}), a Redis by which they know each other's riders, and a
 * database that they reach by two ways. Phones and an order system go on while one part after the
 * other breaks. After each: what was acknowledged is in the topic, repeats have one dedup key, no
 * ledger has a residue, each completed delivery has its history and was told in order, and every
 * node shows every rider. {@code lab/nodes} does the same for minutes, and kills brokers.
 */
@Tag("engine")
@Timeout(300)
final class NodesIT {
  private static final int NODES_MAX = 3;
  private static final Pattern SERVER = Pattern.compile("gilmok-(\\d):8080");

  @TempDir Path folder;
  private final String prefix = "nodes-" + System.nanoTime() + ".";
  private final HttpClient client = HttpClient.newHttpClient();
  private final JsonMapper mapper = new JsonMapper();
  private final Map<Integer, Program> nodes = new TreeMap<>();
  private final int[] ports = new int[NODES_MAX];
  private final Set<String> histories = new HashSet<>();
  private final FleetPhones phones = new FleetPhones();
  private MongoServer mongo;
  private String database;
  private MongoWire[] ways;
  private RedisServer redis;
  private KafkaKit kafka;
  private Nginx nginx;
  private ToldPartner partner;
  private FleetOrders orders;

  /** What breaks, and is mended. */
  private interface Fault {
    void run() throws Exception;
  }

  @BeforeEach
  void start() throws Exception {
    mongo = MongoServer.any();
    database = mongo.newDatabase();
    ways = new MongoWire[] {MongoWire.to(mongo), MongoWire.to(mongo)};
    redis = RedisServer.start(folder.resolve("redis"));
    kafka = KafkaKit.shared();
    for (int i = 0; i < NODES_MAX; i++) {
      ports[i] = Nginx.freePort();
    }
    launch(0);
    launch(1);
    nginx = Nginx.start(Files.createDirectory(folder.resolve("nginx")), configuration());
    partner = new ToldPartner();
    String told = send(node(0), "PUT", "/v1/partners/shop-1", partner.asJson());
    assertThat(told).contains("shop-1");
    phones.ride(URI.create(nginx.url() + "/v1/traces"), this::key);
    orders = new FleetOrders(URI.create(nginx.url()));
    phones.awaitMore(50);
  }

  @AfterEach
  void stop() throws Exception {
    phones.close();
    if (orders != null) {
      orders.close();
    }
    for (Program node : nodes.values()) {
      node.close();
    }
    if (nginx != null) {
      nginx.close();
    }
    if (partner != null) {
      partner.close();
    }
    if (redis != null) {
      redis.close();
    }
    if (ways != null) {
      for (MongoWire way : ways) {
        way.close();
      }
      mongo.drop(database);
    }
    client.close();
  }

  @Test
  void whateverBreaks_nothingAcknowledgedIsLost_andTheOthersGoOn() throws Exception {
    after(
        "a broker stopped",
        () -> {
          kafka.stop(1);
          phones.awaitMore(50);
          kafka.start(1);
        });
    after(
        "Redis killed",
        () -> {
          redis.kill();
          phones.awaitMore(50);
          redis.restart();
        });
    after(
        "a database router slow, then gone",
        () -> {
          ways[0].delay(Duration.ofMillis(100));
          orders.awaitMore(2);
          ways[0].cut();
          phones.awaitMore(50);
          orders.awaitMore(2);
          ways[0].delay(Duration.ZERO);
          ways[0].mend();
        });
    after(
        "a third node added",
        () -> {
          launch(2);
          nginx.reload(configuration());
          Program third = node(2);
          Program.await(() -> get(third, "/v1/ledger").path("items").toString().contains("traces"));
          phones.awaitMore(50);
        });
    after(
        "a node suspended for some seconds",
        () -> {
          node(0).suspend();
          phones.awaitMore(50);
          node(0).resume();
          orders.awaitMore(2);
        });
    after(
        "a node killed with -9",
        () -> {
          node(1).close();
          phones.awaitMore(50);
          launch(1);
        });
    after(
        "a node killed, its folder deleted",
        () -> {
          node(2).close();
          AckPhones.delete(data(2));
          phones.awaitMore(50);
          launch(2);
        });
    after(
        "a node drained away",
        () -> {
          Program leaving = nodes.remove(1);
          nginx.reload(configuration());
          nodes.put(1, leaving);
          end(1);
          nodes.remove(1);
          assertThat(data(1).resolve("drained")).exists();
          phones.awaitMore(50);
        });
    after(
        "a rolling restart",
        () -> {
          for (int which : List.copyOf(nodes.keySet())) {
            end(which);
            launch(which);
          }
        });
    phones.end();
    orders.end();
    after("the end", () -> {});
    assertThat(phones.otherwise()).as("acknowledged by somebody else").isEmpty();
  }

  private Path data(int which) {
    return folder.resolve("data" + which);
  }

  private Program node(int which) {
    return requireNonNull(nodes.get(which));
  }

  private void launch(int which) throws Exception {
    int way = which == 0 ? 0 : 1;
    // A node finds its database again when the driver asks next, by default each 10 s.
    String uri =
        "mongodb://127.0.0.1:%d/?directConnection=true&heartbeatFrequencyMS=1000"
            .formatted(ways[way].port());
    List<String> arguments =
        new ArrayList<>(
            List.of("serve", "--port=" + ports[which], "--data=" + data(which), "--no-warmup"));
    for (String setting :
        List.of(
            "only=collect,positions,sinks,deliveries",
            "http.host=127.0.0.1",
            "log.segment-bytes=16MiB",
            "log.bytes-max=64MiB",
            "collect.ack=kafka",
            "positions.follow=redis",
            "documents.mongo-uri=" + uri,
            "documents.mongo-database=" + database,
            "documents.mongo-timeout=2 s",
            "relay.private-networks=127.0.0.1",
            "relay.timeout=2 s",
            "relay.lease=9 s",
            "relay.poll-interval=200 ms",
            "redis.url=" + redis.url(),
            "redis.command-timeout=500 ms",
            "sinks.enabled=kafka,redis",
            "sinks.redis.retry-max=500 ms",
            "sinks.redis.batch-age-max=10 ms",
            "sinks.kafka.bootstrap-servers=" + kafka.servers(),
            "sinks.kafka.topic-prefix=" + prefix,
            "sinks.kafka.create-topics=true",
            "sinks.kafka.retry-max=500 ms")) {
      arguments.add("--set=" + setting);
    }
    Program node =
        Program.startIn(
            Map.of("GILMOK_ADMIN_KEY", AckPhones.KEY), arguments.toArray(String[]::new));
    nodes.put(which, node);
    node.awaitReady();
    node.uri(""); // says why, if it is not
  }

  /** Stops a node as an operator does, and waits for its end. */
  private void end(int which) throws Exception {
    try (Program node = node(which)) {
      node.terminate();
      Program.Ended ended = node.end();
      assertThat(ended.code()).as(ended.err()).isZero();
    }
  }

  /** nginx's, with the nodes that there are. */
  private String configuration() throws IOException {
    StringBuilder text = new StringBuilder();
    for (String line : OpsFiles.text("nginx/nodes.conf").lines().toList()) {
      Matcher server = SERVER.matcher(line);
      int which = server.find() ? Integer.parseInt(server.group(1)) - 1 : -1;
      if (which < 0 || nodes.containsKey(which)) {
        String address = which < 0 ? "" : "127.0.0.1:" + ports[which];
        text.append(server.replaceFirst(address)).append('\n');
      }
    }
    return text.toString();
  }

  /** Makes a rider's key. */
  private String key(String rider) {
    try {
      String body =
          "{\"name\":\"%1$s\",\"scopes\":[\"collect\"],\"rider\":\"%1$s\"}".formatted(rider);
      String made = send(node(0), "POST", "/v1/keys", body);
      return mapper.readTree(made).path("key").asString();
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }

  private String send(Program node, String method, String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(node.uri(path))
            .header("X-Api-Key", AckPhones.KEY)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString()).body();
  }

  private JsonNode get(Program node, String path) throws Exception {
    return mapper.readTree(send(node, "GET", path, ""));
  }

  /** Breaks something, then checks every promise, and prints a row of what was found. */
  private void after(String name, Fault fault) throws Exception {
    long began = System.nanoTime();
    fault.run();
    long mended = System.nanoTime();
    Map<String, Long> newest = phones.newest();
    for (Program node : nodes.values()) {
      Program.await(() -> isShown(node, newest));
    }
    double near = seconds(mended);
    for (Program node : nodes.values()) {
      assertThat(phones.residue(node)).as(name + ": residue").isZero();
    }
    Map<String, Integer> completed = orders.completed();
    assertThat(orders.wrong()).as(name).isEmpty();
    partner.await(completed);
    checkHistories(completed.keySet());
    Set<String> acknowledged = phones.acknowledged();
    Map<String, List<String>> found = found();
    assertThat(found.keySet()).as(name + ": in the topic").containsAll(acknowledged);
    long duplicates = 0;
    for (Map.Entry<String, List<String>> one : found.entrySet()) {
      assertThat(Set.copyOf(one.getValue())).as(one.getKey() + ": dedup keys").hasSize(1);
      duplicates += one.getValue().size() - 1;
    }
    System.out.printf(
        "NodesIT: %s: %d acknowledged and found, %d repeats, %d deliveries told in order;"
            + " all riders shown everywhere after %.2f s; other answers so far %s; %.0f s%n",
        name,
        acknowledged.size(),
        duplicates,
        completed.size(),
        near,
        phones.refusals(),
        seconds(began));
  }

  private static double seconds(long sinceNanos) {
    return (System.nanoTime() - sinceNanos) / (double) TimeUnit.SECONDS.toNanos(1);
  }

  /** Whether a node shows every rider where it was acknowledged to be, or later. */
  private boolean isShown(Program node, Map<String, Long> newest) throws Exception {
    Map<String, Long> shown = new HashMap<>();
    for (JsonNode item : get(node, FleetPhones.NEAR).path("items")) {
      String at = item.at("/position/at").asString();
      shown.put(item.path("riderId").asString(), Instant.parse(at).toEpochMilli());
    }
    return newest.entrySet().stream()
        .allMatch(one -> shown.getOrDefault(one.getKey(), 0L) >= one.getValue());
  }

  /** Each delivery that was not looked at before has every step that was answered, once. */
  private void checkHistories(Set<String> deliveries) throws Exception {
    for (String id : deliveries) {
      if (histories.add(id)) {
        JsonNode events = get(node(0), "/v1/deliveries/" + id + "/events");
        assertThat(events.path("items").valueStream())
            .as(id)
            .extracting(event -> event.path("type").asString())
            .containsExactlyElementsOf(FleetOrders.HISTORY);
      }
    }
  }

  /** The dedup keys of each position in the topic, by the phone's id. */
  private Map<String, List<String>> found() {
    Map<String, List<String>> found = new HashMap<>();
    for (ConsumerRecord<String, String> one : kafka.topics().read(prefix + "traces")) {
      String id = mapper.readTree(one.value()).path("record").path("id").asString();
      found
          .computeIfAbsent(id, _ -> new ArrayList<>())
          .add(KafkaTopics.header(one, "gilmok-dedup-key"));
    }
    return found;
  }
}
