package gilmok.app;

import static gilmok.app.ErasedRider.GONE;
import static gilmok.app.ErasedRider.LAT;
import static gilmok.app.ErasedRider.LON;
import static gilmok.app.ErasedRider.SCAN;
import static gilmok.app.ErasedRider.STAYS;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.Program.Ended;
import gilmok.privacy.ErasedList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups that have a rider who was erased since: restored, the rider is erased again. */
@Tag("process")
final class RestoreErasedIT {
  @TempDir Path data;
  @TempDir Path files;
  @TempDir Path folder;

  private Program serve(Path on, String... more) throws Exception {
    List<String> settings = new ArrayList<>(List.of(ErasedRider.settings(files)));
    settings.addAll(List.of(more));
    return Program.serve(on, settings.toArray(String[]::new));
  }

  private Path place() {
    return folder.resolve("place");
  }

  private Path restored() {
    return folder.resolve("restored");
  }

  private void backup(Program server) throws Exception {
    Ended ended =
        Program.run(
            "backup",
            "--to=" + place(),
            "--url=" + server.uri(""),
            "--key=" + Files.readString(data.resolve("admin.key")).strip());
    assertThat(ended.code()).as(ended.toString()).isZero();
  }

  private Ended restore(String... more) throws Exception {
    List<String> all =
        new ArrayList<>(List.of("restore", "--from=" + place(), "--data=" + restored()));
    all.addAll(List.of(more));
    return Program.run(all.toArray(String[]::new));
  }

  private List<String> backups() throws IOException {
    return BackupRig.manifests(place()).stream()
        .map(it -> it.getFileName().toString().replace(".json", ""))
        .toList();
  }

  /** A backup with the rider; the rider is erased; with a list, a backup without the rider. */
  private void liveAndGo(boolean isListed, String... settings) throws Exception {
    try (Program server = serve(data, settings)) {
      ErasedRider fleet = ErasedRider.at(server, data);
      fleet.live(STAYS, 37.6, 127.2);
      fleet.live(GONE, LAT, LON);
      fleet.fill();
      fleet.positions(GONE, LAT, LON, 3);
      fleet.awaitSettled(data, 1);
      backup(server);
      fleet.awaitErased(fleet.erase(GONE));
      assertThat(SCAN.findings(data, files)).isEmpty();
      if (isListed) {
        Program.await(() -> !isNow(backups().getFirst())); // names have seconds
        backup(server);
        assertThat(backups()).hasSize(2);
      }
    }
  }

  private static boolean isNow(String backup) {
    return backup.equals(
        java.time.format.DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'")
            .withZone(java.time.ZoneOffset.UTC)
            .format(java.time.Instant.now()));
  }

  private void checkGone(Program server) throws Exception {
    ErasedRider fleet = ErasedRider.at(server, restored());
    Program.await(fleet::isReady);
    assertThat(SCAN.findings(restored(), files)).as("at ready").isEmpty();
    assertThat(restored().resolve(ErasedList.AGAIN)).doesNotExist();
    fleet.checkOther();
    fleet.awaitSettled(restored(), 1);
    fleet.checkLedger();
  }

  @Test
  void anOldBackup_isRestoredWithoutWhomTheNewestListNames() throws Exception {
    liveAndGo(true);
    Ended ended = restore("--backup=" + backups().getFirst());
    assertThat(ended.code()).as(ended.toString()).isZero();
    assertThat(SCAN.findings(restored()))
        .as("what is to be erased again")
        .anyMatch(found -> found.startsWith("log/"))
        .anyMatch(found -> found.startsWith("documents.db"))
        .anyMatch(found -> found.startsWith("snapshots/live"))
        .anyMatch(found -> found.matches("archive/deliveries/.*parquet rider_id: .*"));
    Ended shipped =
        Program.run(
            "ship", "--data=" + restored(), "--set=sinks.enabled=files", "--set=http.port=0");
    assertThat(shipped.code()).isEqualTo(1);
    assertThat(shipped.err()).contains("may have riders who were erased since");
    for (int kill = 0; kill < 3; kill++) {
      killedSoon(kill);
    }
    try (Program server = serve(restored())) {
      checkGone(server);
    }
    assertThat(SCAN.findings(restored(), files)).as("stopped").isEmpty();
  }

  /** Starts the program on the restored folder, and kills it in the middle. */
  private void killedSoon(int kill) throws Exception {
    List<String> arguments = Program.serving(restored());
    arguments.addAll(List.of(ErasedRider.settings(files)));
    try (Program program = Program.start(arguments.toArray(String[]::new))) {
      String until =
          kill == 0 ? "the log had" : kill == 1 ? "gilmok listens" : "is erased on this node";
      long end = System.nanoTime() + 3_000_000_000L;
      while (!program.logged().contains(until) && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      program.kill();
    }
  }

  @Test
  void aListByHand_countsToo_andTheNewestBackupNeedsNone() throws Exception {
    liveAndGo(false);
    Path list = folder.resolve("list");
    Files.copy(data.resolve(ErasedList.FILE), list);
    assertThat(restore("--erased=" + folder.resolve("none")).err()).contains("there is no ");
    Ended ended = restore("--erased=" + list);
    assertThat(ended.code()).as(ended.toString()).isZero();
    try (Program server = serve(restored())) {
      checkGone(server);
    }
  }

  @Test
  void anotherSecret_isRefused_andItsOwnGoesOn() throws Exception {
    String secret = "--set=privacy.pseudonym-secret=" + "s".repeat(32);
    liveAndGo(true, secret);
    assertThat(restore("--backup=" + backups().getFirst()).code()).isZero();
    List<String> arguments = Program.serving(restored());
    arguments.addAll(List.of(ErasedRider.settings(files)));
    Ended refused = Program.run(arguments.toArray(String[]::new));
    assertThat(refused.code()).isNotZero();
    assertThat(String.join(" ", refused.said()))
        .contains("erase-again", "privacy.pseudonym-secret of before");
    try (Program server = serve(restored(), secret)) {
      checkGone(server);
    }
  }

  @Test
  void aSegmentThatIsRewrittenMeanwhile_isReadAgain() throws Exception {
    try (Program server = serve(data)) {
      ErasedRider fleet = ErasedRider.at(server, data);
      fleet.live(STAYS, 37.6, 127.2);
      fleet.fill();
      fleet.live(GONE, LAT, LON);
      fleet.fill();
      fleet.awaitSettled(data, 1);
      String job;
      try (Program backup =
          Program.start(
              "backup",
              "--to=" + place(),
              "--bandwidth=3",
              "--url=" + server.uri(""),
              "--key=" + Files.readString(data.resolve("admin.key")).strip())) {
        Program.await(
            () -> Files.exists(place()) && !BackupRig.files(place(), "/objects/").isEmpty());
        job = fleet.erase(GONE);
        Ended ended = backup.end();
        assertThat(ended.code()).as(ended.toString()).isZero();
      }
      fleet.awaitErased(job);
    }
    Ended ended = restore();
    assertThat(ended.code()).as(ended.toString()).isZero();
    assertThat(ended.out()).contains("records were erased, and left a tombstone");
    assertThat(SCAN.findings(restored().resolve("log"))).isEmpty();
  }
}
