package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RiderLife.Person;
import gilmok.redis.RedisReply;
import gilmok.redis.RedisServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** One rider among others, with all that this server can hold of one, is erased. */
@Tag("engine")
final class ErasureIT {
  private static final Person GONE =
      new Person("gone \"7\" 길목", "gone", "gone-phone", 37.4321987, 127.1234765);
  private static final Person STAYS = new Person("stays-8", "stays", "stays-phone", 37.6, 127.2);
  private static final FolderScan SCAN =
      new FolderScan(List.of(GONE.id(), GONE.phone()), List.of(GONE.lat(), GONE.lon()));

  @TempDir Path data;
  @TempDir Path files;
  @TempDir Path texts;
  @TempDir Path redisFolder;
  private RedisServer redis;
  private RunningServer server;
  private RiderLife riders;

  @BeforeEach
  void open() throws Exception {
    redis = RedisServer.any(redisFolder);
    server = start();
    riders = new RiderLife(server);
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
        "sinks.files.replaced-keep=1 s",
        "sinks.files-text.file-age-max=50ms",
        "sinks.files-text.folder=" + texts,
        "sinks.save-interval=10ms");
  }

  /** What is found in Redis, as it stores it; of streams, what can be read of positions. */
  private Set<String> inRedis() throws Exception {
    redis.ask("CONFIG", "SET", "rdbcompression", "no");
    String prefix = data.getFileName() + ":";
    TreeSet<String> found = new TreeSet<>();
    for (String key : redis.texts("KEYS", prefix + "*")) {
      boolean isStream = redis.texts("TYPE", key).contains("stream");
      if (!isStream && redis.ask("DUMP", key) instanceof RedisReply.Bytes(byte[] stored)) {
        found.addAll(SCAN.findings(key, stored));
      }
    }
    String read = String.join("\n", redis.texts("XRANGE", prefix + "positions", "-", "+"));
    assertThat(read).contains(STAYS.id());
    found.addAll(SCAN.findings("positions", read.getBytes(StandardCharsets.UTF_8)));
    return found;
  }

  @AfterEach
  void close() throws Exception {
    server.close();
  }

  @Test
  void nothingIsLeftOfOne_inAnyByte_andTheOthersAreAsTheyWere() throws Exception {
    riders.live(List.of(STAYS, GONE));
    assertThat(SCAN.findings(data, files, texts))
        .as("what the scan would find")
        .anyMatch(found -> found.startsWith("log/"))
        .anyMatch(found -> found.startsWith("documents.db"))
        .anyMatch(found -> found.startsWith("devices"))
        .anyMatch(found -> found.matches("stream=traces/.*parquet rider_id: .*"))
        .anyMatch(found -> found.matches("stream=traces/.*parquet lat: .*"))
        .anyMatch(found -> found.matches("stream=logs/.*ndjson.*"));
    assertThat(inRedis()).isNotEmpty();
    JsonNode before = riders.statement(GONE.id());
    JsonNode others = riders.statement(STAYS.id());
    String trace =
        "/v1/riders/%s/trace?from=" + (riders.now - 3_600_000) + "&to=" + (riders.now + 3_600_000);
    int kept = server.get(trace.formatted(STAYS.id())).json().path("items").size();
    assertThat(kept).isEqualTo(51);
    String node = server.get("/v1/ledger").json().path("node").asString();

    JsonNode certificate = riders.awaitErased(riders.erase(GONE.id()));
    String pseudonym = certificate.path("pseudonym").asString();
    assertThat(certificate.toString()).doesNotContain(GONE.inJson(), GONE.phone(), "atLeast");
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
        .containsEntry("consents", "0 1")
        .containsEntry("register", "1 0")
        .containsKeys("log", "files-files", "files-files-text", "redis", "jobs", "audit");

    Map<String, List<String>> left = RiderLife.left(certificate);
    assertThat(left.keySet()).containsExactly("backups", "partners", "redis");
    assertThat(left.get("partners"))
        .containsExactly(
            "the partner shop shop-1, which webhooks may have told of 1 deliveries: orders order-gone");
    assertThat(inRedis()).isEmpty();

    // Who asks for the rider by the id does not make it known again.
    assertThat(server.get(GONE.url("/position")).status()).isEqualTo(404);
    String records = "/v1/privacy/records?rider=";
    JsonNode rows = server.get(records + pseudonym).json().path("items");
    assertThat(rows.toString())
        .contains("\"position\"")
        .contains("\"collected\"")
        .doesNotContain(GONE.inJson());
    assertThat(server.get(trace.formatted(RiderLife.path(GONE.id()))).json().path("items"))
        .isEmpty();
    assertThat(server.get("/v1/logs?rider=" + RiderLife.path(GONE.id())).json().path("items"))
        .isEmpty();
    assertThat(riders.statement(pseudonym)).as("what was paid").isEqualTo(before);
    assertThat(riders.statement(STAYS.id())).isEqualTo(others);
    assertThat(server.get(trace.formatted(STAYS.id())).json().path("items")).hasSize(kept);
    riders.awaitShipped();
    JsonNode ledger = server.get("/v1/ledger").json();
    assertThat(ledger.path("residue").asInt()).as(ledger.toString()).isZero();
    assertThat(server.get("/v1/receipts/" + node + ":1").status()).isEqualTo(200);
    String audited = server.get("/v1/audit").body();
    assertThat(audited)
        .contains("rider.erased")
        .contains(pseudonym)
        .doesNotContain(GONE.inJson(), GONE.phone());

    server.close();
    assertThat(SCAN.findings(data, files, texts)).isEmpty();
    server = start();
    assertThat(SCAN.findings(data, files, texts)).as("after a start").isEmpty();
    assertThat(server.get(GONE.url("/position")).status()).isEqualTo(404);
    assertThat(server.get(STAYS.url("/position")).status()).isEqualTo(200);
    assertThat(server.get(trace.formatted(STAYS.id())).json().path("items")).hasSize(kept);
    assertThat(server.get("/v1/ledger").json().path("residue").asInt()).isZero();
  }

  @Test
  void everythingIsHandedOut_ofThatRiderAlone_beforeIt_andNothingAfterwards() throws Exception {
    riders.live(List.of(STAYS, GONE));
    Map<String, List<String>> archive = riders.handedOut(GONE.id());
    assertThat(archive.keySet())
        .contains(
            "consent.ndjson",
            "register.ndjson",
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
        .noneMatch(line -> line.contains(STAYS.id()));
    riders.awaitErased(riders.erase(GONE.id()));
    archive = riders.handedOut(GONE.id());
    assertThat(archive.remove("consent.ndjson")).hasSize(1);
    assertThat(archive.remove("register.ndjson")).noneMatch(row -> row.contains(GONE.inJson()));
    assertThat(archive.values()).allMatch(List::isEmpty);
    assertThat(riders.handedOut(STAYS.id()).values()).noneMatch(List::isEmpty);
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

  @Test
  void severalAtOnce_whateverTheirIdsAre_andOthersStayWhole() throws Exception {
    String longest = "x".repeat(127) + "1";
    List<Person> gone =
        List.of(
            new Person("r-7", "a", "phone-a", 37.1234567, 127.7654321),
            new Person("rider", "b", "phone-b", 37.2345678, 127.8765432),
            new Person("shop-1", "c", "phone-c", 37.3456789, 127.9876543),
            new Person(longest, "d", "phone-d", 37.4567891, 127.1987654),
            new Person("delivery.completed", "e", "phone-e", 37.5678912, 127.2198765));
    List<Person> stay =
        List.of(
            new Person("r-77", "f", "r-7-phone", 37.6, 127.2),
            new Person("rider-7", "g", "phone-g", 37.61, 127.21),
            new Person("x".repeat(127), "h", "phone-h", 37.62, 127.22));
    riders.live(Stream.concat(gone.stream(), stay.stream()).toList());
    Map<String, Map<String, List<String>>> before = new TreeMap<>();
    for (Person one : stay) {
      before.put(one.id(), riders.handedOut(one.id()));
    }
    List<String> jobs = new ArrayList<>();
    for (Person one : gone) {
      jobs.add(riders.erase(one.id()));
    }
    jobs.add(riders.erase("r-7"));
    for (String job : jobs) {
      assertThat(RiderLife.left(riders.awaitErased(job))).doesNotContainKey("log");
    }
    for (Person one : stay) {
      Map<String, List<String>> now = riders.handedOut(one.id());
      Map<String, List<String>> then = before.getOrDefault(one.id(), Map.of());
      now.remove("register.ndjson"); // the hand-outs themselves are in it
      then = new TreeMap<>(then);
      then.remove("register.ndjson");
      assertThat(now).isEqualTo(then);
      assertThat(server.get(one.url("/position")).status()).isEqualTo(200);
      assertThat(server.get(one.url("/missions")).json().path("items")).hasSize(1);
    }
    JsonNode delivered = server.get("/v1/deliveries?shopId=shop-1").json().path("items");
    assertThat(delivered).hasSize(8);
    server.close();
    List<String> ids = List.of(longest, "phone-a", "phone-b", "phone-c", "phone-d", "phone-e");
    List<Double> points = gone.stream().flatMap(p -> Stream.of(p.lat(), p.lon())).toList();
    assertThat(new FolderScan(ids, points).findings(data, files, texts)).isEmpty();
    server = start();
    riders.of(server);
    for (Person one : stay) {
      assertThat(server.get(one.url("/position")).status()).isEqualTo(200);
    }
    assertThat(server.get("/v1/ledger").json().path("residue").asInt()).isZero();
  }
}
