package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import gilmok.backup.BackupContents;
import gilmok.cli.Commands;
import gilmok.log.SequenceEpoch;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** A server that is backed up under load, and what is restored of it. */
@Tag("process")
final class BackupIT {
  private static final String[] SETTINGS = {
    "relay.private-networks=127.0.0.1", "sinks.enabled=files", "log.bytes-max=200MiB"
  };

  /** What a data folder has that is in no backup. */
  private static final Set<String> NOT_BACKED_UP = Set.of("shipped", "log", "heap-dumps");

  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Map<String, Integer> answered = new ConcurrentHashMap<>();
  private final Map<String, Long> receipts = new ConcurrentHashMap<>();
  private final AtomicInteger orders = new AtomicInteger();
  private final AtomicBoolean isOver = new AtomicBoolean();

  private int run(String... arguments) {
    return Commands.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
  }

  private int backup(RunningServer server, Path to, String... more) {
    List<String> all = new ArrayList<>(List.of("backup", "--to", to.toString()));
    all.addAll(
        List.of("--url", "http://127.0.0.1:" + server.server().port(), "--key", server.adminKey()));
    all.addAll(List.of(more));
    return run(all.toArray(String[]::new));
  }

  private String said() {
    return out + "\n" + err;
  }

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
    } catch (IOException | InterruptedException | RuntimeException ended) {
      if (!isOver.get()) {
        throw new AssertionError(ended);
      }
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
  }

  @Test
  void underLoad_itIsOneMoment_andARestoredServerGoesOn() throws Exception {
    Path data = folder.resolve("data");
    Path place = folder.resolve("backups");
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

  private static long waiting(RunningServer server) throws Exception {
    return server
        .get("/v1/ledger")
        .json()
        .path("items")
        .valueStream()
        .mapToLong(item -> item.path("waiting").asLong())
        .sum();
  }

  /** Everything in the folder is backed up, or known not to be: nothing new is forgotten. */
  private static void assertKnown(Path data) throws IOException {
    Set<String> known = new HashSet<>(BackupContents.FOLDERS);
    known.addAll(BackupContents.LEFT_OUT);
    known.addAll(NOT_BACKED_UP);
    try (Stream<Path> all = Files.list(data)) {
      assertThat(all.filter(Files::isDirectory).map(path -> path.getFileName().toString()))
          .allMatch(known::contains);
    }
  }

  private static List<Path> manifests(Path place) throws IOException {
    return files(place, "/backups/");
  }

  private static List<Path> files(Path place, String part) throws IOException {
    try (Stream<Path> all = Files.walk(place)) {
      return all.filter(path -> Files.isRegularFile(path) && path.toString().contains(part))
          .sorted(Comparator.comparing(Path::toString))
          .toList();
    }
  }

  /** Objects of the first or last segment of the newest backup. */
  private static Path objectOf(Path place, boolean isFirst) throws IOException {
    JsonNode segments =
        new ObjectMapper().readTree(Files.readString(manifests(place).getLast())).path("segments");
    String chunk = segments.get(isFirst ? 0 : segments.size() - 1).path("chunks").get(0).asString();
    return files(place, chunk).getFirst();
  }

  @Test
  void ofAFolderAfterKill9_itHasWhatWasAnswered_andAnIncompleteOneIsRefused() throws Exception {
    Path data = folder.resolve("data");
    Path place = folder.resolve("backups");
    try (RunningServer server = RunningServer.start(data, SETTINGS)) {
      fillSegments(server);
    }
    try (Program program = Program.serve(data)) {
      String key = Files.readString(data.resolve("admin.key")).strip();
      assertThat(post(program, key, DeliveryRig.order("o-killed"))).isEqualTo(201);
      program.kill();
    }
    assertThat(run("backup", "--data", data.toString(), "--to", place.toString()))
        .as(said())
        .isZero();
    Path restored = folder.resolve("restored");
    Path first = objectOf(place, true);
    Path aside = folder.resolve("aside");
    Files.move(first, aside);
    assertThat(restore(place, restored)).isEqualTo(1);
    assertThat(err.toString()).contains("is not sound").contains("--allow-loss");
    assertThat(restored).doesNotExist();
    assertThat(restore(place, folder.resolve("lossy"), "--allow-loss")).as(said()).isZero();
    try (RunningServer server = RunningServer.start(folder.resolve("lossy"), SETTINGS)) {
      assertThat(server.get("/v1/deliveries").body()).contains("o-killed");
      assertThat(server.get("/v1/ledger").json().path("residue").asInt()).isZero();
    }
    Files.move(aside, first);
    Path last = objectOf(place, false);
    Files.move(last, aside);
    assertThat(restore(place, restored, "--allow-loss")).isEqualTo(1);
    assertThat(restored).doesNotExist();
    Files.move(aside, last);
    byte[] sound = Files.readAllBytes(last);
    byte[] damaged = sound.clone();
    damaged[damaged.length / 2] ^= 1;
    Files.write(last, damaged);
    assertThat(restore(place, restored)).isEqualTo(1);
    assertThat(err.toString()).contains("is damaged");
    assertThat(restored).doesNotExist();
    Files.write(last, sound);
    assertThat(restore(place, restored)).as(said()).isZero();
    assertThat(restore(place, restored)).as("not into a folder with something").isEqualTo(1);
    try (RunningServer server = RunningServer.start(restored, SETTINGS)) {
      assertThat(server.get("/v1/deliveries").body()).contains("o-killed");
      Program.await(() -> waiting(server) == 0);
      assertThat(server.get("/v1/ledger").json().path("residue").asInt()).isZero();
    }
  }

  private int restore(Path place, Path data, String... more) {
    List<String> all =
        new ArrayList<>(List.of("restore", "--from", place.toString(), "--data", data.toString()));
    all.addAll(List.of(more));
    return run(all.toArray(String[]::new));
  }

  private static int post(Program program, String key, String order) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(program.uri("/v1/deliveries"))
                  .header("X-Api-Key", key)
                  .POST(BodyPublishers.ofString(order))
                  .build(),
              BodyHandlers.discarding())
          .statusCode();
    }
  }

  /** Fills more than two segments of the log. */
  private static void fillSegments(RunningServer server) throws Exception {
    String word = "길".repeat(300);
    for (int request = 0; request < 40; request++) {
      StringBuilder lines = new StringBuilder("[");
      for (int i = 0; i < 700; i++) {
        lines
            .append(i == 0 ? "" : ",")
            .append(
                "{\"riderId\":\"r\",\"at\":%d,\"level\":\"info\",\"message\":\"%d %d %s\"}"
                    .formatted(request * 1000 + i, request, i, word));
      }
      assertThat(server.post("/v1/logs", lines.append(']').toString()).status()).isEqualTo(202);
    }
  }

  @Test
  void killedInTheMiddle_bothBeginAgain() throws Exception {
    Path data = folder.resolve("data");
    Path place = folder.resolve("backups");
    Path restored = folder.resolve("restored");
    try (RunningServer server = RunningServer.start(data, SETTINGS)) {
      fillSegments(server);
      String url = "http://127.0.0.1:" + server.server().port();
      String[] backup = {
        "backup", "--url", url, "--key", server.adminKey(), "--to", place.toString()
      };
      List<String> slow = new ArrayList<>(List.of(backup));
      slow.addAll(List.of("--bandwidth", "2"));
      try (Program program = Program.start(slow.toArray(String[]::new))) {
        Program.await(() -> Files.exists(place) && !files(place, "/objects/").isEmpty());
        program.kill();
      }
      assertThat(Files.exists(place.resolve(node(place)).resolve("backups"))).isFalse();
      assertThat(Program.run(backup).code()).isZero();
    }
    String[] restore = {"restore", "--from", place.toString(), "--data", restored.toString()};
    try (Program program = Program.start(restore)) {
      Path beside = folder.resolve("restored.restoring");
      Program.await(() -> Files.exists(beside.resolve("log")));
      program.kill();
    }
    Program.Ended again = Program.run(restore);
    assertThat(again.code()).as(again.err()).isZero();
    assertThat(folder.resolve("restored.restoring")).doesNotExist();
    try (RunningServer server = RunningServer.start(restored, SETTINGS)) {
      Program.await(() -> waiting(server) == 0);
      assertThat(server.get("/v1/ledger").json().path("residue").asInt()).isZero();
    }
  }

  private static String node(Path place) throws IOException {
    try (Stream<Path> nodes = Files.list(place)) {
      return nodes.findFirst().orElseThrow().getFileName().toString();
    }
  }

  @Test
  void encrypted_itNeedsItsKey_andTheSecretsAreNotInIt() throws Exception {
    Path data = folder.resolve("data");
    Path place = folder.resolve("backups");
    Path key = folder.resolve("backup.key");
    Path other = folder.resolve("other.key");
    assertThat(run("backup", "--new-key", key.toString())).isZero();
    assertThat(run("backup", "--new-key", key.toString())).as("not twice").isEqualTo(1);
    assertThat(run("backup", "--new-key", other.toString())).isZero();
    String admin;
    try (RunningServer server = RunningServer.start(data, SETTINGS)) {
      admin = server.adminKey();
      assertThat(backup(server, place, "--encryption-key", key.toString())).as(said()).isZero();
      assertThat(backup(server, place, "--encryption-key", other.toString()))
          .as("another key would make a second set of everything")
          .isEqualTo(1);
    }
    for (Path object : files(place, "/")) {
      assertThat(Files.readString(object, StandardCharsets.ISO_8859_1))
          .doesNotContain(admin)
          .doesNotContain("documents.db");
    }
    Path restored = folder.resolve("restored");
    assertThat(restore(place, restored)).isEqualTo(1);
    assertThat(err.toString()).contains("--encryption-key");
    assertThat(restore(place, restored, "--encryption-key", other.toString())).isEqualTo(1);
    assertThat(restored).doesNotExist();
    assertThat(run("restore", "--from", place.toString(), "--check", "--encryption-key", "" + key))
        .as(said())
        .isZero();
    assertThat(restore(place, restored, "--encryption-key", key.toString())).as(said()).isZero();
    assertThat(Files.readString(restored.resolve("admin.key")).strip()).isEqualTo(admin);
  }

  @Test
  void keep_deletesOldOnes_andANewNodeHasAnIdOfItsOwn() throws Exception {
    Path data = folder.resolve("data");
    Path place = folder.resolve("backups");
    String node;
    try (RunningServer server = RunningServer.start(data, SETTINGS)) {
      node = server.get("/v1/ledger").json().path("node").asString();
      for (int i = 0; i < 3; i++) {
        assertThat(server.post("/v1/deliveries", DeliveryRig.order("o" + i)).status())
            .isEqualTo(201);
        assertThat(backup(server, place, "--keep", "2")).as(said()).isZero();
        TimeUnit.SECONDS.sleep(1); // backups are named by the second
      }
      assertThat(manifests(place)).hasSize(2);
      assertThat(run("restore", "--from", place.toString(), "--list")).isZero();
      assertThat(out.toString()).contains("whole").doesNotContain("missing");
      Path trial = folder.resolve("trial");
      assertThat(restore(place, trial, "--new-node")).as(said()).isZero();
      try (RunningServer beside = RunningServer.start(trial, "sinks.enabled=")) {
        assertThat(beside.get("/v1/ledger").json().path("node").asString()).isNotEqualTo(node);
        assertThat(beside.get("/v1/deliveries").body()).contains("\"o2\"");
      }
    }
  }
}
