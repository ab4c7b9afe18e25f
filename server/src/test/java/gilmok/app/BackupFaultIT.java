package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Backups whose place is full, or whose server falls silent. */
@Tag("process")
final class BackupFaultIT extends BackupRig {
  /** What the place has, and what the second try gets of it. */
  private static final int PLACE_MEBIBYTES = 2;

  private static final int LINES_AT_ONCE = 50;

  /** Makes a small disk of the place, backs up, gives it room, and backs up again. */
  private static final String TWICE =
      """
      place=$1 kept=$2 && shift 2 && mount -t tmpfs -o size=%dm none "$place" || exit
      "$@"
      echo "first ended with $?"
      find "$place" -type f
      mount -o remount,size=200m "$place" || exit
      "$@"
      echo "second ended with $?"
      cp -r "$place" "$kept"
      """
          .formatted(PLACE_MEBIBYTES);

  @Test
  void placeIsFull_itSaysWhere_nothingCountsAsABackup_andWithRoomTheNextIsWhole() throws Exception {
    Path place = Files.createDirectory(folder.resolve("place"));
    Path kept = folder.resolve("kept");
    List<String> own = List.of("unshare", "-rm", "sh", "-c");
    List<String> tried = new ArrayList<>(own);
    tried.addAll(List.of("mount -t tmpfs -o size=1m none \"$1\"", "sh", place.toString()));
    Assumptions.assumeTrue(
        new ProcessBuilder(tried).start().waitFor() == 0, "nothing can be mounted here");
    List<String> under = new ArrayList<>(own);
    under.addAll(List.of(TWICE, "sh", place.toString(), kept.toString()));
    Path data = folder.resolve("data");
    try (RunningServer server = RunningServer.start(data, SETTINGS)) {
      assertThat(server.post("/v1/deliveries", DeliveryRig.order("o-kept")).status())
          .isEqualTo(201);
      fill(server, 16);
      fillWithRandom(server, (PLACE_MEBIBYTES + 1) << 20);
      String url = "http://127.0.0.1:" + server.server().port();
      try (Program program =
          Program.startUnder(
              under, "backup", "--to=" + place, "--url=" + url, "--key=" + server.adminKey())) {
        Program.Ended ended = program.end();
        assertThat(ended.code()).as(ended.err()).isZero();
        String first = ended.out().substring(0, ended.out().indexOf("second ended"));
        assertThat(first)
            .contains("first ended with 1", "/objects/")
            .doesNotContain("/backups/")
            .doesNotContain(".part");
        assertThat(ended.err()).contains(place + " is full", "make room there");
        assertThat(ended.out()).contains("second ended with 0");
      }
      assertThat(data.resolve("backup")).as("the server's copy").doesNotExist();
      assertThat(server.post("/v1/deliveries", DeliveryRig.order("o-later")).status())
          .isEqualTo(201);
      Program.await(() -> waiting(server) == 0);
      assertThat(server.get("/v1/ledger").json().path("residue").asInt()).isZero();
    }
    Path restored = folder.resolve("restored");
    assertThat(restore(kept, restored)).as(said()).isZero();
    try (RunningServer server = RunningServer.start(restored, SETTINGS)) {
      assertThat(server.get("/v1/deliveries").body()).contains("o-kept").doesNotContain("o-later");
    }
  }

  /** Appends lines that do not compress, at least so many bytes. */
  private static void fillWithRandom(RunningServer server, int bytes) throws Exception {
    Random random = new Random(1);
    byte[] letters = new byte[6000];
    int sent = 0;
    while (sent < bytes) {
      StringJoiner lines = new StringJoiner(",", "[", "]");
      for (int i = 0; i < LINES_AT_ONCE; i++) {
        random.nextBytes(letters);
        lines.add(
            "{\"riderId\":\"r\",\"at\":%d,\"level\":\"info\",\"message\":\"%s\"}"
                .formatted(sent, Base64.getEncoder().encodeToString(letters)));
        sent += letters.length;
      }
      assertThat(server.post("/v1/logs", lines.toString()).status()).isEqualTo(202);
    }
  }

  @Test
  void serverFallsSilent_theCommandEnds_andGoesOnWhenItIsBack() throws Exception {
    Path data = folder.resolve("data");
    Path place = folder.resolve("place");
    try (RunningServer server = RunningServer.start(data, SETTINGS)) {
      fill(server, 16);
    }
    try (Program program = Program.serve(data)) {
      String key = Files.readString(data.resolve("admin.key")).strip();
      List<String> backup = new ArrayList<>(List.of("backup", "--to", place.toString()));
      backup.addAll(List.of("--url", program.uri("").toString(), "--key", key));
      List<String> slow = new ArrayList<>(backup);
      slow.addAll(List.of("--bandwidth", "5", "--read-timeout", "2 s"));
      CompletableFuture<Integer> ended =
          CompletableFuture.supplyAsync(() -> run(slow.toArray(String[]::new)));
      Program.await(() -> Files.exists(place) && !files(place, "/objects/").isEmpty());
      program.suspend();
      assertThat(ended.get(1, TimeUnit.MINUTES)).isEqualTo(1);
      assertThat(err.toString()).contains("no byte came from", "for 2 s", "--read-timeout");
      assertThat(files(place, "/backups/")).isEmpty();
      program.resume();
      assertThat(run(backup.toArray(String[]::new))).as(said()).isZero();
    }
    assertThat(restore(place, folder.resolve("restored"))).as(said()).isZero();
  }
}
