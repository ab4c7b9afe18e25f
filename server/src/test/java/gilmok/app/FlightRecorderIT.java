package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Needed;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Java's flight recorder tells of real servers, and what becomes of its files. */
@Tag("process")
final class FlightRecorderIT {
  private static final String KEY = "a-key-for-the-test-of-the-recorder";
  private static final String MEASURES = "flight recorder measures, with its files in ";
  private static final String STOPPED = "flight recorder has stopped, as ";
  private static final Path MEMORY = Path.of("/dev/shm");

  @TempDir Path folder;
  private final HttpClient client = HttpClient.newHttpClient();

  /** A class whose initialisation waits pins each virtual thread that needs it. */
  private static final class SlowToBegin {
    private static final int ONE = slowly();

    private static int slowly() {
      long end = System.nanoTime() + 20_000_000L;
      while (System.nanoTime() - end < 0) {
        LockSupport.parkNanos(end - System.nanoTime());
      }
      return 1;
    }
  }

  @Test
  void collectionAndPinnedThread_areInTheMetricsOfAServer() throws Exception {
    String pinned = "gilmok_virtual_thread_pinned_seconds_count";
    try (RunningServer server =
        RunningServer.start(folder.resolve("data"), "operate.flight-recorder=true")) {
      server.server().warmUp(); // none, and then it begins
      Program.await(
          () -> {
            System.gc();
            return server.metric("gilmok_jvm_pause_seconds_count{kind=\"collection\"}") > 0;
          });
      Thread.ofVirtual().start(() -> assertThat(SlowToBegin.ONE).isEqualTo(1)).join();
      Program.await(() -> server.metric(pinned) > 0);
    }
  }

  @Test
  void slowDiskAndLongPauses_areInTheMetrics() throws Exception {
    Needed.program("strace", "strace");
    String strace =
        "strace -D -f --seccomp-bpf -qq -o /dev/null -e signal=none -e trace=fdatasync"
            + " -e inject=fdatasync:delay_enter=40ms";
    try (Program program = serve(List.of(strace.split(" ")))) {
      Program.await(() -> program.logged().contains(MEASURES));
      AtomicInteger lines = new AtomicInteger();
      Program.await(
          () -> {
            // Another line each time: a repeat is not forced to the disk.
            ask(
                program,
                "POST",
                "/v1/logs",
                "{\"riderId\":\"r\",\"at\":%d,\"level\":\"INFO\",\"message\":\"m\"}"
                    .formatted(lines.incrementAndGet()));
            ask(program, "POST", "/v1/diagnose?seconds=0", "");
            String text = metrics(program);
            return count(text, "gilmok_slow_force_seconds_count{file=\"log\"} ") > 0
                && count(text, "gilmok_jvm_pause_seconds_count{kind=\"heap\"} ") > 0;
          });
      program.terminate();
      program.end();
    }
  }

  @Test
  void folder_ofAKilledServer_isRemovedByItsNextStart_andAnothersStays() throws Exception {
    Path data = folder.resolve("data");
    try (Program other = Program.startIn(Map.of(), arguments(folder.resolve("other")))) {
      Program.await(() -> other.logged().contains(MEASURES));
      Path ofOther = place(other);
      Path killedFile;
      try (Program killed = Program.startIn(Map.of(), arguments(data))) {
        Program.await(() -> killed.logged().contains(MEASURES));
        killedFile = only(place(killed));
        killed.kill();
        assertThat(killedFile).exists();
        // A link is removed, not followed.
        Files.createSymbolicLink(
            place(killed).resolve("link"), Files.createDirectory(folder.resolve("kept")));
        Files.createFile(folder.resolve("kept/file"));
      }
      try (Program again = Program.startIn(Map.of(), arguments(data))) {
        Program.await(() -> again.logged().contains(MEASURES));
        assertThat(killedFile).doesNotExist();
        assertThat(folder.resolve("kept/file")).exists();
        Path place = place(again);
        assertThat(only(place)).exists();
        again.terminate();
        assertThat(again.end().code()).isZero();
        assertThat(place).doesNotExist();
        assertThat(again.logged()).doesNotContain("does not end", "ERROR");
      }
      assertThat(only(ofOther)).exists();
      other.terminate();
      other.end();
    }
  }

  @Test
  void fullFileSystem_stopsTheRecorder_notTheServer_untilThereIsRoom() throws Exception {
    Path go = folder.resolve("go");
    Path full = folder.resolve("full");
    Path room = folder.resolve("room");
    List<String> own = List.of("unshare", "-rm", "sh", "-c");
    List<String> tried = new ArrayList<>(own);
    tried.add("mount -t tmpfs -o size=1m none /dev/shm");
    Assumptions.assumeTrue(
        new ProcessBuilder(tried).start().waitFor() == 0, "nothing can be mounted here");
    String script =
        """
        folder=$1 && shift && mount -t tmpfs -o size=64m none /dev/shm || exit
        (
          await() { until [ -e "$folder/$1" ]; do [ -e "$folder" ] || exit; sleep 0.1; done; }
          await go; head -c 54M /dev/zero > /dev/shm/of-others
          await full; cat /dev/zero > /dev/shm/more-of-others
          await room; rm /dev/shm/*of-others
        ) > /dev/null 2>&1 &
        exec "$@"
        """;
    List<String> under = new ArrayList<>(own);
    under.addAll(List.of(script, "sh", folder.toString()));
    try (Program program = serve(under)) {
      Program.await(() -> program.logged().contains(MEASURES));
      Files.createFile(go);
      Program.await(() -> program.logged().contains(STOPPED));
      Files.createFile(full);
      assertThat(ask(program, "POST", "/v1/diagnose?seconds=1", "")).isEqualTo(200);
      assertThat(program.logged().split(MEASURES, -1)).hasSize(2);
      Files.createFile(room);
      Program.await(() -> program.logged().split(MEASURES, -1).length == 3);
      assertThat(program.logged().split(STOPPED, -1)).hasSize(2);
      assertThat(ask(program, "GET", "/health/ready", "")).isEqualTo(200);
    }
  }

  private Program serve(List<String> under) throws Exception {
    Program program = Program.startUnder(under, arguments(folder.resolve("data")));
    program.awaitReady();
    return program;
  }

  private static String[] arguments(Path data) {
    List<String> arguments = Program.serving(data);
    arguments.addAll(
        List.of(
            "--set=admin-key=" + KEY,
            "--set=run-sheets.process=inside",
            "--set=operate.flight-recorder=auto"));
    return arguments.toArray(String[]::new);
  }

  private static Path place(Program program) throws Exception {
    String log = program.logged();
    int at = log.lastIndexOf(MEASURES) + MEASURES.length();
    Path place = Path.of(log.substring(at).lines().findFirst().orElseThrow().strip());
    assertThat(place).hasParent(MEMORY);
    return place;
  }

  /** The recorder's only file. */
  private static Path only(Path place) throws Exception {
    try (Stream<Path> files = Files.walk(place)) {
      List<Path> all = files.filter(file -> file.toString().endsWith(".jfr")).toList();
      assertThat(all).hasSize(1);
      return all.getFirst();
    }
  }

  private String metrics(Program program) throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(program.uri("/metrics")).header("X-Api-Key", KEY).build(),
            BodyHandlers.ofString())
        .body();
  }

  private static double count(String text, String series) {
    return text.lines()
        .filter(line -> line.startsWith(series))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length())))
        .sum();
  }

  private int ask(Program program, String method, String path, String body) throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(program.uri(path))
                .header("X-Api-Key", KEY)
                .method(method, BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofByteArray())
        .statusCode();
  }
}
