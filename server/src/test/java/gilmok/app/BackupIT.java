package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import gilmok.backup.BackupContents;
import gilmok.log.SequenceEpoch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A server that is backed up under load, and what is restored of it. */
@Tag("process")
final class BackupIT extends BackupRig {
  /** What a data folder has that is in no backup. */
  private static final Set<String> NOT_BACKED_UP = Set.of("shipped", "log", "heap-dumps");

  private final Map<String, Integer> answered = new ConcurrentHashMap<>();
  private final Map<String, Long> receipts = new ConcurrentHashMap<>();
  private final AtomicInteger orders = new AtomicInteger();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isOver = new AtomicBoolean();

  /** Takes deliveries through their steps and sends positions, until it is over. */
  private void work(RunningServer server) {
    try {
      while (!isOver.get()) {
        int number = orders.incrementAndGet();
        Reply created = server.post("/v1/deliveries", DeliveryRig.order("o" + number));
        assertThat(created.status()).isEqualTo(201);
        String id = created.json().path("id").asString();
        answered.put(id, 1);
        for (String step : List.of("accept", "assign", "pickup", "complete")) {
          String body = step.equals("assign") ? "{\"riderId\":\"r\"}" : "";
          Reply moved = server.post("/v1/deliveries/" + id + "/" + step, body);
          answered.put(id, moved.json().path("version").asInt());
        }
        String trace =
            "{\"riderId\":\"r%d\",\"at\":%d,\"lat\":37.5,\"lon\":127,\"id\":\"t%d\"}"
                .formatted(number % 50, System.currentTimeMillis(), number);
        JsonNode receipt = server.post("/v1/traces", trace).json().path("receipt");
        receipts.put(
            receipt.path("node").asString() + ":" + receipt.path("first").asLong(),
            receipt.path("first").asLong());
      }
    } catch (IOException | InterruptedException | RuntimeException | AssertionError failed) {
      failures.add(failed);
    }
  }

  private List<Thread> workers(RunningServer server) {
    return IntStream.range(0, 4)
        .mapToObj(_ -> Thread.ofVirtual().start(() -> work(server)))
        .toList();
  }

  private void end(List<Thread> workers) throws InterruptedException {
    isOver.set(true);
    for (Thread worker : workers) {
      worker.join();
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void underLoad_itIsOneMoment_andARestoredServerGoesOn() throws Exception {
    Path data = folder.resolve("data");
    Path place = folder.resolve("place");
    Path restored = folder.resolve("restored");
    Map<String, Integer> before;
    Set<String> told;
    Set<String> written;
    try (ToldPartner partner = new ToldPartner()) {
      try (RunningServer server = RunningServer.start(data, SETTINGS)) {
        Reply registered =
            server.send(
                server.adminKey(),
                "PUT",
                "/v1/partners/shop-1",
                "application/json",
                partner.asJson());
        assertThat(registered.status()).as(registered.body()).isBetween(200, 201);
        List<Thread> workers = workers(server);
        Program.await(() -> answered.size() > 60 && partner.times.size() > 100);
        before = new HashMap<>(answered);
        written = new HashSet<>(receipts.keySet());
        told = new HashSet<>(partner.times.keySet());
        TimeUnit.SECONDS.sleep(1); // what a partner has accepted is written down soon after
        assertThat(backup(server, place)).as(said()).isZero();
        Program.await(() -> answered.size() > before.size() + 60);
        assertThat(backup(server, place)).as(said()).isZero();
        assertThat(Files.exists(data.resolve("backup"))).isFalse();
        assertThat(server.get("/v1/audit").body()).contains("\"action\":\"backup.made\"");
        assertKnown(data);
        end(workers);
      }
      Map<String, Integer> times = new HashMap<>(partner.times);
      String first = manifests(place).getFirst().getFileName().toString().replace(".json", "");
      assertThat(
              run(
                  "restore",
                  "--from",
                  place.toString(),
                  "--data",
                  restored.toString(),
                  "--backup",
                  first))
          .as(said())
          .isZero();
      assertThat(out.toString()).contains("restored into");
      try (RunningServer server = RunningServer.start(restored, SETTINGS)) {
        Map<String, Integer> versions = new HashMap<>();
        for (Map.Entry<String, Integer> one : before.entrySet()) {
          JsonNode found = server.get("/v1/deliveries/" + one.getKey()).json();
          versions.put(one.getKey(), found.path("version").asInt());
          assertThat(found.path("version").asInt()).isGreaterThanOrEqualTo(one.getValue());
          JsonNode events = server.get("/v1/deliveries/" + one.getKey() + "/events").json();
          assertThat(sequences(events))
              .isEqualTo(IntStream.rangeClosed(1, found.path("version").asInt()).boxed().toList());
        }
        for (String receipt : written) {
          assertThat(server.get("/v1/receipts/" + receipt).status()).as(receipt).isEqualTo(200);
        }
        long highest = receipts.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        JsonNode receipt =
            server
                .post("/v1/traces", "{\"riderId\":\"new\",\"at\":1,\"lat\":1,\"lon\":1}")
                .json()
                .path("receipt");
        assertThat(receipt.path("first").asLong())
            .isGreaterThan(highest)
            .isGreaterThanOrEqualTo(SequenceEpoch.LENGTH);
        Program.await(() -> waiting(server) == 0);
        assertThat(server.get("/v1/ledger").json().path("residue").asInt()).isZero();
        partner.await(versions); // what was not told before is told now
        told.forEach(id -> assertThat(partner.times.get(id)).as(id).isEqualTo(times.get(id)));
      }
    }
  }

  private static List<Integer> sequences(JsonNode events) {
    return events.path("items").valueStream().map(event -> event.path("sequence").asInt()).toList();
  }

  /** Everything in the folder is backed up, or known not to be: nothing new is forgotten. */
  private static void assertKnown(Path data) throws IOException {
    Set<String> known = new HashSet<>(BackupContents.FOLDERS);
    known.addAll(BackupContents.LEFT_OUT);
    known.addAll(NOT_BACKED_UP);
    known.add(BackupContents.ARCHIVE);
    try (Stream<Path> all = Files.list(data)) {
      assertThat(all.filter(Files::isDirectory).map(path -> path.getFileName().toString()))
          .allMatch(known::contains);
    }
  }
}
