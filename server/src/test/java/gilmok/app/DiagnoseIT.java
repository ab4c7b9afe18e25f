package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server in a process of its own tells about itself, by the command and over HTTP. */
@Tag("process")
final class DiagnoseIT {
  private static final String KEY = "a-key-for-the-test-of-diagnoses";
  private static final String SECRET = "a-secret-in-the-environment-of-32-chars";

  @TempDir Path folder;

  @Test
  void command_writesEverythingIntoOneFile_andNoSecret() throws Exception {
    Path data = folder.resolve("data");
    List<String> arguments = Program.serving(data);
    arguments.addAll(List.of("--set=admin-key=" + KEY, "--set=sinks.enabled=files"));
    try (Program server =
        Program.startIn(
            Map.of("GILMOK_AUTH_SESSION_SECRET", SECRET), arguments.toArray(String[]::new))) {
      server.awaitReady();
      String url = server.uri("").toString();
      Path file = folder.resolve("all.zip");
      Program.Ended ended =
          Program.run(
              "diagnose", "--seconds=1", "--heap", "--url=" + url, "--key=" + KEY, "" + file);
      assertThat(ended.code()).as(ended.toString()).isZero();
      Map<String, byte[]> files = unpacked(Files.readAllBytes(file));
      assertThat(files)
          .containsKeys("version.txt", "readiness.txt", "compiler-queue.txt", "jvm-version.txt")
          .doesNotContainKey("failures.txt");
      assertThat(text(files, "settings.txt")).contains("sinks.enabled=files", "admin-key=***");
      assertThat(text(files, "metrics.txt")).contains("gilmok_log_fsync_seconds_count");
      assertThat(text(files, "log.json")).contains("\"name\":\"ship.files\"");
      assertThat(text(files, "ledger.json")).contains("\"residue\":0");
      assertThat(text(files, "threads.txt")).contains("log-writer", "virtual");
      assertThat(text(files, "platform-threads.txt")).contains("vert.x-eventloop-thread-0");
      assertThat(text(files, "virtual-threads.txt")).contains("ForkJoinPool");
      assertThat(text(files, "heap-info.txt")).contains("garbage-first heap");
      assertThat(text(files, "heap-histogram.txt")).contains("#instances", "[B");
      assertThat(text(files, "jvm-flags.txt")).contains("-XX:");
      assertThat(text(files, "native-memory.txt")).contains("not enabled");
      assertThat(text(files, "machine.txt")).contains("== /proc/self/limits", "Max open files");
      assertThat(new String(bytes(files, "heap.hprof"), 0, 12, StandardCharsets.US_ASCII))
          .isEqualTo("JAVA PROFILE");
      Path recording = folder.resolve("recording.jfr");
      Files.write(recording, bytes(files, "recording.jfr"));
      assertThat(RecordingFile.readAllEvents(recording).stream().map(DiagnoseIT::kind))
          .contains("jdk.GCConfiguration")
          .doesNotContain("a secret");
      for (Map.Entry<String, byte[]> one : files.entrySet()) {
        if (!one.getKey().equals("heap.hprof")) {
          assertThat(text(files, one.getKey())).as(one.getKey()).doesNotContain(KEY, SECRET);
        }
      }
      try (Stream<Path> left = Files.list(data)) {
        assertThat(left).noneMatch(one -> one.getFileName().toString().startsWith("diagnosis"));
      }
      Program.Ended again = Program.run("diagnose", "--url=" + url, "--key=" + KEY, "" + file);
      assertThat(again.code()).isEqualTo(1);
      assertThat(again.err()).contains("is there already");
      Path nowhere = folder.resolve("none/all.zip");
      assertThat(Program.run("diagnose", "--url=" + url, "--key=" + KEY, "" + nowhere).said())
          .containsExactly(
              "gilmok: "
                  + nowhere
                  + ".part cannot be written: name a file in a folder where you may write");
      Path refused = folder.resolve("refused.zip");
      assertThat(Program.run("diagnose", "--url=" + url, "--key=wrong", "" + refused).err())
          .contains("key");
      assertThat(folder.resolve("refused.zip.part")).doesNotExist();
    }
  }

  @Test
  void diagnosis_isForAdmins_oneAtATime_andFreeAgainWhenItsClientIsGone() throws Exception {
    // By default the folder is "data", which is relative.
    Path relative = Path.of("").toAbsolutePath().relativize(folder.resolve("data"));
    try (RunningServer server = RunningServer.start(relative);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      String operates = server.key("{\"name\":\"o\",\"scopes\":[\"operate\",\"read\"]}");
      assertThat(server.send(operates, "POST", "/v1/diagnose", "", "").status()).isEqualTo(403);
      for (String wrong : List.of("seconds=-1", "seconds=301", "seconds=x", "heap=yes", "x=1")) {
        assertThat(server.send(server.adminKey(), "POST", "/v1/diagnose?" + wrong, "", "").status())
            .as(wrong)
            .isEqualTo(400);
      }
      HttpClient leaving = HttpClient.newHttpClient();
      Future<?> gone = threads.submit(() -> diagnose(server, leaving, 300));
      Program.await(() -> server.metric("gilmok_diagnose_in_flight") == 1);
      assertThat(server.send(server.adminKey(), "POST", "/v1/diagnose", "", "").status())
          .isEqualTo(503);
      leaving.shutdownNow();
      Program.await(gone::isDone);
      Program.await(() -> server.metric("gilmok_diagnose_in_flight") == 0);
      try (HttpClient client = HttpClient.newHttpClient()) {
        assertThat(unpacked(diagnose(server, client, 0).body()))
            .containsKey("threads.txt")
            .doesNotContainKeys("recording.jfr", "heap.hprof", "failures.txt");
      }
    }
  }

  @Test
  void folder_thatAKilledServerLeft_isRemovedByTheNextStart() throws Exception {
    Path data = folder.resolve("data");
    List<String> arguments = Program.serving(data);
    arguments.add("--set=admin-key=" + KEY);
    try (HttpClient client = HttpClient.newHttpClient()) {
      try (Program killed = Program.start(arguments.toArray(String[]::new))) {
        killed.awaitReady();
        Future<?> broken =
            client.sendAsync(
                asked(killed.uri("/v1/diagnose?seconds=0&heap=true")), BodyHandlers.discarding());
        Program.await(() -> !left(data).isEmpty());
        killed.kill();
        Program.await(broken::isDone);
      }
      assertThat(left(data)).isNotEmpty();
      Path kept = Files.createDirectory(folder.resolve("kept"));
      Files.createFile(kept.resolve("heap.hprof"));
      Files.createSymbolicLink(data.resolve("diagnosis-link"), kept);
      try (Program again = Program.start(arguments.toArray(String[]::new))) {
        again.awaitReady();
        assertThat(left(data)).containsExactly(data.resolve("diagnosis-link"));
        assertThat(kept.resolve("heap.hprof")).exists();
      }
    }
  }

  @Test
  void disk_thatFillsUpWhileItIsRecorded_endsTheRecording_notTheServer() throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("temporary"));
    Path go = folder.resolve("go");
    List<String> own = List.of("unshare", "-rm", "sh", "-c");
    List<String> tried = new ArrayList<>(own);
    tried.addAll(List.of("mount -t tmpfs -o size=1m none \"$1\"", "sh", temporary.toString()));
    Assumptions.assumeTrue(
        new ProcessBuilder(tried).start().waitFor() == 0, "nothing can be mounted here");
    String script =
        """
        temporary=$1 go=$2 && shift 2 && mount -t tmpfs -o size=640m none "$temporary" || exit
        export JAVA_TOOL_OPTIONS="-Djava.io.tmpdir=$temporary"
        (
          until [ -e "$go" ]; do [ -e "${go%/*}" ] || exit; sleep 0.1; done
          while head -c 8M /dev/zero >> "$temporary/of-others"; do sleep 0.02; done
          touch "$go.full"
        ) > /dev/null 2>&1 &
        exec "$@"
        """;
    List<String> under = new ArrayList<>(own);
    under.addAll(List.of(script, "sh", temporary.toString(), go.toString()));
    List<String> arguments = Program.serving(folder.resolve("data"));
    arguments.add("--set=admin-key=" + KEY);
    try (Program program = Program.startUnder(under, arguments.toArray(String[]::new));
        HttpClient client = HttpClient.newHttpClient()) {
      program.awaitReady();
      Future<HttpResponse<byte[]>> whole =
          client.sendAsync(
              asked(program.uri("/v1/diagnose?seconds=300")), BodyHandlers.ofByteArray());
      Program.await(() -> metric(client, program, "gilmok_diagnose_in_flight") == 1);
      Files.createFile(go);
      Map<String, byte[]> files = unpacked(whole.get().body());
      assertThat(text(files, "failures.txt")).contains("recording.jfr", "was nearly full");
      assertThat(bytes(files, "recording.jfr")).isNotEmpty();
      Program.await(() -> Files.exists(folder.resolve("go.full")));
      HttpResponse<byte[]> next =
          client.send(asked(program.uri("/v1/diagnose?seconds=1")), BodyHandlers.ofByteArray());
      assertThat(text(unpacked(next.body()), "failures.txt")).contains("not done, as");
    }
  }

  private static double metric(HttpClient client, Program program, String name) throws Exception {
    String text =
        client
            .send(
                HttpRequest.newBuilder(program.uri("/metrics")).header("X-Api-Key", KEY).build(),
                BodyHandlers.ofString())
            .body();
    return text.lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
        .sum();
  }

  private static HttpRequest asked(URI uri) {
    return HttpRequest.newBuilder(uri)
        .header("X-Api-Key", KEY)
        .POST(BodyPublishers.noBody())
        .build();
  }

  private static List<Path> left(Path data) throws Exception {
    try (Stream<Path> files = Files.list(data)) {
      return files.filter(file -> file.getFileName().toString().startsWith("diagnosis-")).toList();
    }
  }

  private static String kind(RecordedEvent event) {
    String text = event.toString();
    return text.contains(KEY) || text.contains(SECRET)
        ? "a secret"
        : event.getEventType().getName();
  }

  private static HttpResponse<byte[]> diagnose(RunningServer server, HttpClient client, int seconds)
      throws Exception {
    return client.send(
        HttpRequest.newBuilder(server.uri("/v1/diagnose?seconds=" + seconds))
            .header("X-Api-Key", server.adminKey())
            .POST(BodyPublishers.noBody())
            .build(),
        BodyHandlers.ofByteArray());
  }

  private static Map<String, byte[]> unpacked(byte[] archive) throws Exception {
    Map<String, byte[]> files = new TreeMap<>();
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        files.put(entry.getName(), zip.readAllBytes());
      }
    }
    return files;
  }

  private static byte[] bytes(Map<String, byte[]> files, String name) {
    assertThat(files).containsKey(name);
    return files.getOrDefault(name, new byte[0]);
  }

  private static String text(Map<String, byte[]> files, String name) {
    return new String(bytes(files, name), StandardCharsets.UTF_8);
  }
}
