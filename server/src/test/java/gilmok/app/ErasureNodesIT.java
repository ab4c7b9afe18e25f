package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RiderLife.Person;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Nodes that share a database: a rider is erased on each, also on one that was stopped meanwhile.
 */
@Tag("engine")
final class ErasureNodesIT {
  private static final Person GONE =
      new Person("gone \"7\" 길목", "gone", "gone-phone", 37.4321987, 127.1234765);
  private static final Person STAYS = new Person("stays-8", "stays", "stays-phone", 37.6, 127.2);
  private static final FolderScan SCAN =
      new FolderScan(List.of(GONE.id(), GONE.phone()), List.of(GONE.lat(), GONE.lon()));

  @RegisterExtension static final TestDatabase DATABASE = new TestDatabase();

  @TempDir Path firstData;
  @TempDir Path secondData;

  private static String[] settings() {
    return DATABASE.settings(
        "privacy.pseudonym-secret=the-same-on-all-nodes",
        "sinks.enabled=files",
        "sinks.files.format=parquet",
        "sinks.files.file-age-max=50ms",
        "sinks.files.replaced-keep=1 s",
        "sinks.save-interval=10ms",
        "positions.snapshot-interval=1s");
  }

  /** Everything that the database has of the rider. */
  private static Set<String> inDatabase() {
    Set<String> found = new TreeSet<>();
    var database = DATABASE.server().database(DATABASE.name());
    for (String collection : database.listCollectionNames().into(new ArrayList<>())) {
      for (RawBsonDocument one : database.getCollection(collection, RawBsonDocument.class).find()) {
        byte[] bytes = new byte[one.getByteBuffer().remaining()];
        one.getByteBuffer().get(bytes);
        found.addAll(SCAN.findings(collection, bytes));
      }
    }
    return found;
  }

  private static String state(JsonNode erasure, String node) {
    for (JsonNode one : erasure.path("nodes")) {
      if (one.path("node").asString().equals(node)) {
        return one.path("state").asString();
      }
    }
    return "unknown";
  }

  private static void checkLedger(RunningServer server) throws Exception {
    JsonNode ledger = server.get("/v1/ledger").json();
    assertThat(ledger.path("residue").asInt()).as(ledger.toString()).isZero();
    assertThat(ledger.toString()).contains("\"erased\"");
  }

  private static int points(RunningServer server, Person rider, long now) throws Exception {
    String trace = rider.url("/trace?from=" + (now - 3_600_000) + "&to=" + (now + 3_600_000));
    return server.get(trace).json().path("items").size();
  }

  @Test
  void eachErasesItsPart_alsoOneThatWasStopped_andNoByteIsLeftAnywhere() throws Exception {
    String job;
    String stopped;
    String key;
    try (RunningServer first = RunningServer.start(firstData, settings())) {
      RiderLife riders = new RiderLife(first);
      key = first.adminKey();
      try (RunningServer second = second(key)) {
        stopped = second.get("/v1/ledger").json().path("node").asString();
        riders.live(List.of(STAYS, GONE));
        riders.of(second);
        riders.ride(key, STAYS);
        riders.ride(key, GONE);
        riders.awaitShipped();
        Program.await(() -> second.get(GONE.url("/position")).status() == 200);
      }
      assertThat(inDatabase())
          .as("what the scan would find")
          .anyMatch(found -> found.startsWith("deliveries"))
          .anyMatch(found -> found.startsWith("keys"))
          .anyMatch(found -> found.startsWith("devices"));
      for (Path data : List.of(firstData, secondData)) {
        assertThat(SCAN.findings(data))
            .anyMatch(found -> found.startsWith("log/"))
            .anyMatch(found -> found.matches("shipped/stream=traces/.*parquet lat: .*"));
      }

      riders.of(first);
      job = riders.erase(GONE.id());
      String node = first.get("/v1/ledger").json().path("node").asString();
      Program.await(() -> state(first.get("/v1/erasures/" + job).json(), node).equals("done"));
      JsonNode open = first.get("/v1/erasures/" + job).json();
      assertThat(open.path("state").asString()).isEqualTo("running");
      assertThat(state(open, stopped)).isEqualTo("waiting");
      Program.await(() -> first.metric("gilmok_erasures_oldest_seconds") > 0);
      assertThat(first.metric("gilmok_erasures_open")).isOne();
      assertThat(inDatabase())
          .as("the id waits for the other node, and nowhere else")
          .isNotEmpty()
          .allMatch(found -> found.startsWith("erasures: "));
      assertThat(SCAN.findings(firstData)).isEmpty();
      assertThat(SCAN.findings(secondData)).isNotEmpty();

      try (RunningServer second = second(key)) {
        riders.of(second);
        JsonNode certificate = riders.awaitErased(job);
        assertThat(certificate.path("nodes")).hasSize(2);
        assertThat(certificate.toString()).doesNotContain(GONE.inJson(), GONE.phone(), "atLeast");
        assertThat(certificate).isEqualTo(first.get("/v1/erasures/" + job).json());
        Program.await(() -> first.metric("gilmok_erasures_oldest_seconds") == 0);
        assertThat(second.get(GONE.url("/position")).status()).isEqualTo(404);
        for (RunningServer one : List.of(first, second)) {
          riders.of(one);
          riders.awaitShipped();
          checkLedger(one);
          assertThat(points(one, GONE, riders.now)).isZero();
          assertThat(points(one, STAYS, riders.now)).isEqualTo(51);
        }
        assertThat(SCAN.findings(secondData)).as("with the server").isEmpty();
      }
    }
    assertThat(inDatabase()).isEmpty();
    assertThat(SCAN.findings(firstData, secondData)).isEmpty();
    try (RunningServer second = second(key)) {
      checkLedger(second);
      assertThat(second.get(STAYS.url("/position")).status()).isEqualTo(200);
    }
    assertThat(SCAN.findings(firstData, secondData)).as("started again").isEmpty();
  }

  private RunningServer second(String key) throws Exception {
    return RunningServer.startKnowing(key, secondData, settings());
  }
}
