package gilmok.sinks.setup;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import gilmok.app.Program;
import gilmok.app.RunningServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a node counts as drained, and not a moment earlier. */
@Tag("process")
final class SinkFlushIT {
  private static final Pattern DEDUP_ID = Pattern.compile("\"id\":\"(p\\d+)\"");

  @TempDir Path folder;

  private Path data() {
    return folder.resolve("data");
  }

  private Path out() {
    return folder.resolve("out");
  }

  private Path mark() {
    return data().resolve("drained");
  }

  private RunningServer server(String flush) throws Exception {
    return RunningServer.start(
        data(),
        "only=collect,sinks",
        "sinks.enabled=files",
        "sinks.files.folder=" + out(),
        // With this age, only a flush publishes a file before the test ends.
        "sinks.files.file-age-max=1h",
        "sinks.files.batch-age-max=10 min",
        "sinks.files.retry-min=20 ms",
        "sinks.files.retry-max=50 ms",
        "stop.flush=" + flush);
  }

  private static void post(RunningServer server, int from, int to) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = from; i < to; i++) {
      lines
          .append("{\"riderId\":\"r\",\"at\":")
          .append(i)
          .append(",\"lat\":1,\"lon\":1,\"id\":\"p")
          .append(i)
          .append("\"}\n");
    }
    assertThat(
            server
                .send(
                    server.adminKey(),
                    "POST",
                    "/v1/traces",
                    "application/x-ndjson",
                    lines.toString())
                .status())
        .isEqualTo(202);
  }

  /** The ids that a reader of the published files finds. */
  private List<String> shipped() throws IOException {
    TreeSet<String> ids = new TreeSet<>();
    try (Stream<Path> all = Files.walk(out())) {
      for (Path file : all.filter(path -> path.toString().endsWith(".ndjson.zst")).toList()) {
        Matcher id = DEDUP_ID.matcher(unpacked(file));
        while (id.find()) {
          ids.add(id.group(1));
        }
      }
    }
    return List.copyOf(ids);
  }

  private static String unpacked(Path file) throws IOException {
    try (ZstdInputStream in = new ZstdInputStream(Files.newInputStream(file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void stop_sinkDown_isNotDrained_andIsOnceItIsUp() throws Exception {
    // A file in place of the folder makes the sink fail.
    Files.writeString(out(), "in the way");
    try (RunningServer server = server("300 ms")) {
      post(server, 100, 200);
    }
    assertThat(mark()).doesNotExist();

    Files.delete(out());
    try (RunningServer server = server("30 s")) {
      post(server, 200, 250);
    }
    assertThat(mark()).exists();
    assertThat(Files.readString(mark()))
        .contains("files traces accepted 150 = delivered 150 + waiting 0");
    assertThat(shipped()).hasSize(150);

    try (RunningServer server = server("0 s")) {
      assertThat(mark()).as("what is in use is not drained").doesNotExist();
      post(server, 300, 301);
    }
  }

  @Test
  void stop_logCannotBeRead_goesOnToItsEnd() throws Exception {
    try (RunningServer server = server("30 s")) {
      post(server, 100, 110);
    }
    Files.move(out(), folder.resolve("before"));
    Files.writeString(out(), "in the way");
    RunningServer server = server("30 s");
    post(server, 200, 210);
    try (Stream<Path> files = Files.list(data().resolve("log"))) {
      for (Path segment : files.filter(file -> file.toString().endsWith(".log")).toList()) {
        Files.delete(segment);
      }
    }
    server.close(); // fails if the shutdown was cut short
    assertThat(mark()).doesNotExist();
  }

  @Test
  void stop_sinkPausedBySomebody_isNotWaitedFor_norDrained() throws Exception {
    try (RunningServer server = server("10 min")) {
      assertThat(server.post("/v1/sinks/files/pause", "").status()).isEqualTo(200);
      post(server, 100, 110);
    }
    assertThat(mark()).doesNotExist();

    Program.Ended ship =
        Program.run(
            "ship",
            "--data=" + data(),
            "--set=sinks.enabled=files",
            "--set=sinks.files.folder=" + out(),
            "--set=sinks.files.file-age-max=50 ms");
    assertThat(ship.code()).as(ship.err()).isZero();
    assertThat(mark()).exists();
    assertThat(shipped()).hasSize(10);
  }

  @Test
  void stop_onlyAnotherSinkLacksSomething_isDrained() throws Exception {
    Files.writeString(folder.resolve("down"), "in the way");
    try (RunningServer server =
        RunningServer.start(
            data(),
            "only=collect,sinks",
            "sinks.enabled=files,files-b",
            "sinks.files.folder=" + out(),
            "sinks.files-b.folder=" + folder.resolve("down"),
            "stop.flush=1 s",
            "stop.required-sinks=files")) {
      post(server, 100, 110);
    }
    assertThat(mark()).exists();
    assertThat(shipped()).hasSize(10);
  }
}
