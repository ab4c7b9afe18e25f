package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Backups and restores that are killed, damaged, encrypted and deleted. */
@Tag("process")
final class BackupTroubleIT extends BackupRig {
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
    Path place = folder.resolve("place");
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

  @Test
  void killedInTheMiddle_bothBeginAgain() throws Exception {
    Path data = folder.resolve("data");
    Path place = folder.resolve("place");
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
    Path place = folder.resolve("place");
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
    Path place = folder.resolve("place");
    String node;
    Path archive = Files.createDirectories(data.resolve("archive/deliveries"));
    Files.writeString(archive.resolve("2026-01.parquet"), "rows");
    Files.writeString(archive.resolve("manifest.ndjson"), "{}\n");
    Files.writeString(archive.resolve(".2026-02.open"), "half");
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
      try (Stream<Path> archived = Files.list(trial.resolve("archive/deliveries"))) {
        assertThat(archived.map(path -> path.getFileName().toString()))
            .containsExactlyInAnyOrder("2026-01.parquet", "manifest.ndjson");
      }
    }
  }
}
