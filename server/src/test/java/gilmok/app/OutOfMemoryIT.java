package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.observe.machine.OutOfMemoryDump;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process whose memory runs out, as more riders come than its heap has room for. */
@Tag("process")
final class OutOfMemoryIT {
  private static final String KEY = "a-key-for-the-test-of-memory";

  /** Runs the program with less memory than tests usually give it, and ends it when that is out. */
  private static final List<String> SMALL =
      List.of(
          "sh",
          "-c",
          "for a; do shift; case $a in -Xmx*) set -- \"$@\" -Xmx64m"
              + " -XX:+ExitOnOutOfMemoryError;; *) set -- \"$@\" \"$a\";; esac; done; exec \"$@\"",
          "sh");

  @TempDir Path folder;

  private List<String> arguments() {
    List<String> arguments = Program.serving(folder.resolve("data"));
    arguments.addAll(
        List.of(
            "--set=admin-key=" + KEY,
            "--only=collect,positions",
            "--set=log.dedup-entries-max=10000",
            "--set=positions.riders-max=10000000"));
    return arguments;
  }

  @Test
  void dump_isWritten_andTheNextStartNamesIt() throws Exception {
    Path dumps = folder.resolve("data").resolve(OutOfMemoryDump.FOLDER);
    try (Program server = Program.startUnder(SMALL, arguments().toArray(String[]::new))) {
      server.awaitReady();
      Program.await(() -> Files.isDirectory(dumps));
      fill(server);
      assertThat(server.end().code()).as(server.logged()).isEqualTo(3);
    }
    Path dump;
    try (Stream<Path> files = Files.list(dumps)) {
      dump = files.findFirst().orElseThrow();
    }
    try (InputStream in = Files.newInputStream(dump)) {
      assertThat(new String(in.readNBytes(12), StandardCharsets.US_ASCII))
          .isEqualTo("JAVA PROFILE");
    }
    try (Program server = Program.start(arguments().toArray(String[]::new))) {
      server.awaitReady();
      assertThat(server.logged()).contains("ran out of memory and left " + dump);
    }
  }

  private static void fill(Program server) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (int rider = 0; ; rider += 2000) {
        HttpRequest request =
            HttpRequest.newBuilder(server.uri("/v1/traces"))
                .header("X-Api-Key", KEY)
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(30))
                .POST(BodyPublishers.ofString(HarmedFleet.riders(rider, rider + 2000)))
                .build();
        client.send(request, BodyHandlers.discarding());
      }
    } catch (IOException gone) {
      // It has ended, or is about to.
    }
  }
}
