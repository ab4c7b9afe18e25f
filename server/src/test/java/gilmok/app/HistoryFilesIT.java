package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The past, asked of servers that ship it into Parquet files. */
@Tag("server")
final class HistoryFilesIT {
  private final long begin = Instant.now().toEpochMilli() / 1000 * 1000 - 3_600_000;
  private final String span = "from=" + begin + "&to=" + (begin + 1_800_000);

  @TempDir Path data;
  @TempDir Path other;
  @TempDir Path files;
  private RunningServer server;

  @BeforeEach
  void open() throws Exception {
    server = start(data);
  }

  private RunningServer start(Path folder, String... more) throws Exception {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "sinks.enabled=files",
                "sinks.files.format=parquet",
                "sinks.files.file-age-max=10ms",
                "sinks.save-interval=10ms",
                "sinks.files.folder=" + files));
    settings.addAll(List.of(more));
    return RunningServer.start(folder, settings.toArray(String[]::new));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private void post(RunningServer to, long... seconds) throws Exception {
    String[] points =
        IntStream.range(0, seconds.length)
            .mapToObj(
                i ->
                    "{\"riderId\":\"r1\",\"at\":%d,\"lat\":37.5,\"lon\":127,\"id\":\"p%d\"}"
                        .formatted(begin + 1000 * seconds[i], seconds[i]))
            .toArray(String[]::new);
    Reply reply = to.post("/v1/traces", "[" + String.join(",", points) + "]");
    assertThat(reply.status()).as(reply.body()).isEqualTo(202);
  }

  /** Waits until all is in files, and the sink knows. */
  private static void awaitShipped(RunningServer server) throws Exception {
    await(() -> server.get("/v1/sinks/files").json().path("waiting").asLong() == 0);
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    long until = System.nanoTime() + 20_000_000_000L;
    while (!condition.call()) {
      assertThat(System.nanoTime()).isLessThan(until);
      LockSupport.parkNanos(5_000_000);
    }
  }

  private List<Long> seconds(RunningServer server) throws Exception {
    Reply reply = server.get("/v1/riders/r1/trace?" + span);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    List<Long> seconds = new ArrayList<>();
    for (JsonNode item : reply.json().path("items")) {
      seconds.add((Instant.parse(item.path("at").asString()).toEpochMilli() - begin) / 1000);
    }
    return seconds;
  }

  private List<Path> published() throws IOException {
    try (Stream<Path> all = Files.walk(files)) {
      return all.filter(file -> file.toString().endsWith(".parquet")).toList();
    }
  }

  @Test
  void positions_areFoundInFiles_inTheLog_andAcrossBoth() throws Exception {
    post(server, 1, 5, 3);
    awaitShipped(server);
    assertThat(published()).isNotEmpty();
    assertThat(seconds(server)).containsExactly(1L, 3L, 5L);
    Reply paused = server.post("/v1/sinks/files/pause", "");
    assertThat(paused.status()).as(paused.body()).isEqualTo(200);
    post(server, 4, 2, 5);
    assertThat(seconds(server)).containsExactly(1L, 2L, 3L, 4L, 5L);
    server.close();
    server = start(data);
    assertThat(seconds(server)).containsExactly(1L, 2L, 3L, 4L, 5L);
    server.post("/v1/sinks/files/resume", "");
    awaitShipped(server);
    assertThat(seconds(server)).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void whatWasShippedTwice_isOne() throws Exception {
    post(server, 1, 2);
    awaitShipped(server);
    Reply rewound = server.post("/v1/sinks/files/rewind", "{\"sequence\":1}");
    assertThat(rewound.status()).as(rewound.body()).isEqualTo(200);
    assertThat(seconds(server)).containsExactly(1L, 2L);
    awaitShipped(server);
    assertThat(seconds(server)).containsExactly(1L, 2L);
  }

  @Test
  void nodesThatShareAFolder_answerForEachOther() throws Exception {
    post(server, 1, 3);
    awaitShipped(server);
    try (RunningServer second = start(other)) {
      post(second, 2, 3);
      awaitShipped(second);
      assertThat(seconds(server)).containsExactly(1L, 2L, 3L);
      assertThat(seconds(second)).containsExactly(1L, 2L, 3L);
    }
  }

  @Test
  void filesThatWereDeleted_areNotInAnAnswer_andNoFault() throws Exception {
    post(server, 1);
    awaitShipped(server);
    assertThat(seconds(server)).containsExactly(1L);
    for (Path file : published()) {
      Files.delete(file);
    }
    post(server, 2);
    awaitShipped(server);
    assertThat(seconds(server)).doesNotContain(1L).contains(2L);
  }

  /** Asks until the damaged file is named, which no earlier question may have kept in memory. */
  private void assertNamed(Path damaged) throws Exception {
    Reply reply = server.get("/v1/riders/r1/trace?" + span);
    assertThat(reply.status()).as(reply.body()).isEqualTo(503);
    assertThat(reply.json().path("field").asString()).isEqualTo("file");
    assertThat(reply.json().path("reason").asString())
        .startsWith(files.relativize(damaged) + " is damaged")
        .doesNotContain(files.toString())
        .contains("renames it to end with .damaged");
    assertThat(server.get("/metrics").body())
        .contains("gilmok_history_questions_total{kind=\"trace\",result=\"damaged\"} 1");
  }

  @Test
  void aFileThatIsNone_isNamed_andWithoutItTheRestIsAnswered() throws Exception {
    post(server, 1);
    awaitShipped(server);
    Path damaged = published().getFirst();
    post(server, 2);
    awaitShipped(server);
    byte[] sound = Files.readAllBytes(damaged);
    Files.writeString(damaged, "no Parquet at all");
    server.close();
    server = start(data);
    assertNamed(damaged);
    Path aside = damaged.resolveSibling(damaged.getFileName() + ".damaged");
    Files.move(damaged, aside);
    assertThat(seconds(server)).containsExactly(2L);
    Files.write(damaged, sound);
    assertThat(seconds(server)).containsExactly(1L, 2L);
  }

  @Test
  void aDamagedPage_isNamed_andItsRecordsComeBackOutOfTheLog() throws Exception {
    post(server, 1, 2, 3);
    awaitShipped(server);
    assertThat(published()).hasSize(1);
    Path damaged = published().getFirst();
    byte[] bytes = Files.readAllBytes(damaged);
    int footer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - 8);
    Arrays.fill(bytes, 4, bytes.length - 8 - footer, (byte) 0x55); // the footer is sound
    Files.write(damaged, bytes);
    assertNamed(damaged);
    Files.move(damaged, damaged.resolveSibling(damaged.getFileName() + ".damaged"));
    Reply rewound = server.post("/v1/sinks/files/rewind", "{\"sequence\":1}");
    assertThat(rewound.status()).as(rewound.body()).isEqualTo(200);
    awaitShipped(server);
    assertThat(seconds(server)).containsExactly(1L, 2L, 3L);
  }

  private String lost(int i) {
    return "{\"riderId\":\"r1\",\"at\":%d,\"level\":\"warn\",\"id\":\"l%d\",\"app\":\"4.1\","
            .formatted(begin + i, i)
        + "\"message\":\"GPS \\\"lost\\\"\"}";
  }

  private String longLine(int i) {
    return "{\"riderId\":\"r1\",\"at\":%d,\"level\":\"info\",\"message\":\"%s\"}"
        .formatted(begin + i, "x".repeat(60_000));
  }

  @Test
  void logLines_areFoundInFiles_asInTheLog() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(server.post("/v1/logs", lost(i)).status()).isEqualTo(202);
    }
    JsonNode before = server.get("/v1/logs?q=lost&" + span).json();
    awaitShipped(server);
    JsonNode after = server.get("/v1/logs?q=lost&rider=r1&level=WARN&" + span).json();
    assertThat(after.path("items")).isEqualTo(before.path("items")).hasSize(3);
    assertThat(after.path("items").get(0).path("attributes").path("app").asString())
        .isEqualTo("4.1");
  }

  @Test
  void withoutFiles_whatTheLogDoesNotReachBackTo_isGone() throws Exception {
    server.close();
    server =
        RunningServer.start(
            other,
            "log.segment-bytes=1MiB",
            "log.group-bytes-max=128KiB",
            "collect.body-bytes-max=64KiB",
            // Only what both have saved may be deleted.
            "log.snapshot-interval=100ms",
            "positions.snapshot-interval=100ms",
            "log.retention=1s");
    post(server, 1);
    assertThat(seconds(server)).containsExactly(1L);
    long until = System.nanoTime() + 60_000_000_000L;
    Reply reply = server.get("/v1/riders/r1/trace?" + span);
    for (int i = 0; reply.status() != 410; i++) { // or 503, while the log deletes
      assertThat(System.nanoTime()).isLessThan(until);
      server.post("/v1/logs", longLine(i));
      reply = server.get("/v1/riders/r1/trace?" + span);
    }
    assertThat(reply.json().path("field").asString()).isEqualTo("from");
    assertThat(reply.json().path("reason").asString()).contains("parquet");
    String now = "/v1/riders/r1/trace?from=" + (Instant.now().toEpochMilli() + 1);
    assertThat(server.get(now + "&to=" + (Instant.now().toEpochMilli() + 9_000)).status())
        .isEqualTo(200);
  }

  @Test
  void withoutFiles_theRetentionOfOneStream_endsItsPastAlone() throws Exception {
    String[] settings = {
      "log.segment-bytes=1MiB",
      "log.group-bytes-max=128KiB",
      "collect.body-bytes-max=64KiB",
      "positions.snapshot-interval=100ms",
      "log.traces-retention=1s"
    };
    FolderScan scan = new FolderScan(List.of(), List.of(37.4321987, 127.1234765));
    server.close();
    server = RunningServer.start(other, settings);
    server.post("/v1/logs", lost(1));
    String position =
        "{\"riderId\":\"r1\",\"at\":" + begin + ",\"lat\":37.4321987,\"lon\":127.1234765}";
    assertThat(server.post("/v1/traces", position).status()).isEqualTo(202);
    assertThat(scan.findings(other.resolve("log"))).isNotEmpty();
    for (int i = 2; i < 42; i++) { // more than a segment
      assertThat(server.post("/v1/logs", longLine(i)).status()).isEqualTo(202);
    }
    await(() -> scan.findings(other.resolve("log")).isEmpty());
    Reply gone = server.get("/v1/riders/r1/trace?" + span);
    assertThat(gone.status()).isEqualTo(410);
    assertThat(gone.json().path("field").asString()).isEqualTo("from");
    assertThat(gone.json().path("reason").asString()).startsWith("the log begins at ");
    long now = Instant.now().toEpochMilli();
    String later = "/v1/riders/r1/trace?from=" + (now + 1) + "&to=" + (now + 9_000);
    assertThat(server.get(later).status()).isEqualTo(200);
    assertThat(server.get("/v1/logs?q=lost&" + span).json().path("items")).hasSize(1);
    assertThat(server.get("/v1/ledger").json().path("residue").asInt()).isZero();
  }
}
