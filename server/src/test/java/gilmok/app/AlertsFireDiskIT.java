package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Needed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Alerts that page, fired by a log that is full or damaged, and by a disk that fails. */
@Tag("process")
@Tag("soak")
@EnabledIfSystemProperty(named = "gilmok.budget", matches = "all")
final class AlertsFireDiskIT extends AlertRig {
  private static final String SEGMENTS = "log.segment-bytes=9MiB";
  private static final String SMALL = "log.bytes-max=64MiB";
  private static final String LARGE = "log.bytes-max=256MiB";
  private static final String FILES = "sinks.enabled=files";

  @Test
  void logIsFull_asASinkIsPaused() throws Exception {
    serve(SEGMENTS, SMALL, FILES);
    watch();
    settle();
    ask("POST", "/v1/sinks/files/pause", "");
    Program.await(() -> fleet.send("POST", "/v1/logs", HarmedFleet.lines()).statusCode() == 503);
    Thread.ofVirtual().start(fleet::load);
    awaitPages("GilmokLogNearlyFull", "GilmokNoRoom", "GilmokNotReady");
  }

  @Test
  void logIsFull_andTheSinkIsDetached() throws Exception {
    serve(SEGMENTS, SMALL, FILES, "log.when-full=detach");
    watch();
    settle();
    ask("POST", "/v1/sinks/files/pause", "");
    awaitPages(
        () -> fleet.send("POST", "/v1/logs", HarmedFleet.lines()), "GilmokSinkSkippedRecords");
  }

  @Test
  void logIsFull_andAFollowerWaitsForTheDocuments() throws Exception {
    serve(SEGMENTS, SMALL, "log.when-full=detach");
    watch();
    String assigned = fleet.assigned("1");
    settle();
    try (Connection sqlite = documents()) {
      sqlite.createStatement().execute("BEGIN IMMEDIATE");
      ask("POST", "/v1/actions", HarmedFleet.pickup(assigned));
      awaitPages(
          () -> fleet.send("POST", "/v1/logs", HarmedFleet.lines()), "GilmokReaderSkippedRecords");
    }
  }

  @Test
  void segmentIsDamagedUnderASink_thenGone() throws Exception {
    serve(SEGMENTS, LARGE, FILES);
    watch();
    settle();
    ask("POST", "/v1/sinks/files/pause", "");
    for (int i = 0; i < 12; i++) {
      ask("POST", "/v1/logs", HarmedFleet.lines());
    }
    Path oldest = segments().getFirst();
    // What the paused sink has read ahead is before that.
    damage(oldest, 6 << 20);
    ask("POST", "/v1/sinks/files/resume", "");
    awaitPages("GilmokSinkBroken");
    program().kill();
    program().close();
    Files.delete(oldest);
    serve(SEGMENTS, LARGE, FILES);
    awaitPages("GilmokSinkLostRecords");
  }

  @Test
  void cursorIsPutBack_ofAnotherNode() throws Exception {
    Path own = data;
    data = folder.resolve("another");
    serve(FILES);
    for (int i = 0; i < 10; i++) {
      ask("POST", "/v1/actions", HarmedFleet.actions("of-another-" + i));
    }
    end();
    byte[] another = Files.readAllBytes(cursor());
    data = own;
    serve(FILES);
    watch();
    ask("POST", "/v1/logs", HarmedFleet.lines());
    settle();
    end();
    Files.write(cursor(), another);
    serve(FILES);
    awaitPages("GilmokLedgerResidue");
  }

  /** The cursor of the sink of files. */
  private Path cursor() throws Exception {
    try (Stream<Path> files = Files.walk(data)) {
      return files.filter(it -> it.toString().endsWith("files.cursor")).findFirst().orElseThrow();
    }
  }

  @Test
  void diskDoesNotAnswer() throws Exception {
    serveUnder(faulty("trace=fdatasync", "inject=fdatasync:delay_enter=20s:when=200+"));
    watch();
    settle();
    Thread.ofVirtual().start(fleet::load);
    awaitPages("GilmokLogHangs");
  }

  @Test
  void diskCannotRead() throws Exception {
    serve();
    ask("POST", "/v1/actions", HarmedFleet.actions("first"));
    end();
    Path segment = segments().getFirst();
    List<String> strace = faulty("trace=pread64", "inject=pread64:error=EIO:when=200+");
    strace.addAll(List.of("-P", segment.toString()));
    serveUnder(strace);
    watch();
    settle();
    int[] sent = new int[1];
    awaitPages(
        () -> ask("POST", "/v1/actions", HarmedFleet.actions("more-" + sent[0]++)),
        "GilmokPositionsLag");
  }

  /** Starts a program by strace, which injects a fault of the disk and is not its parent. */
  private static List<String> faulty(String calls, String fault) {
    Needed.program("strace", "strace");
    String strace = "strace -D -f --seccomp-bpf -qq -o /dev/null -e signal=none -e ";
    return new ArrayList<>(List.of((strace + calls + " -e " + fault).split(" ")));
  }

  @Test
  void diskIsFilledByOthers() throws Exception {
    Files.createDirectory(data);
    Path go = folder.resolve("go");
    List<String> own = List.of("unshare", "-rm", "sh", "-c");
    List<String> tried = new ArrayList<>(own);
    tried.addAll(List.of("mount -t tmpfs -o size=1m none \"$1\"", "sh", data.toString()));
    Assumptions.assumeTrue(
        new ProcessBuilder(tried).start().waitFor() == 0, "nothing can be mounted here");
    String script =
        """
        data=$1 go=$2 && shift 2 && mount -t tmpfs -o size=256m none "$data" || exit
        (
          until [ -e "$go" ]; do
            [ -e "$data/.." ] && [ -e "${go%/*}" ] || exit
            sleep 0.2
          done
          head -c 256M /dev/zero > "$data/of-others"
        ) > /dev/null 2>&1 &
        exec "$@"
        """;
    List<String> under = new ArrayList<>(own);
    under.addAll(List.of(script, "sh", data.toString(), go.toString()));
    serveUnder(under, SEGMENTS, SMALL);
    watch();
    settle();
    Files.createFile(go);
    awaitPages("GilmokDiskFull");
    assertThat(fleet.send("GET", "/health/live", "").statusCode()).isEqualTo(200);
  }
}
