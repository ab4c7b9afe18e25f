package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.log.AppendBatch;
import gilmok.log.AppendCompletion;
import gilmok.log.Log;
import gilmok.log.LogConfig;
import gilmok.log.LogContext;
import gilmok.log.LogMeter;
import gilmok.log.LogReader;
import gilmok.log.RecordRewrite;
import gilmok.log.SegmentOwner;
import gilmok.log.Stream;
import gilmok.storage.DataFolder;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output of {@code gilmok log salvage}. */
@Tag("unit")
final class SalvageCommandTest {
  @TempDir Path temp;
  private Path data = Path.of("");

  @BeforeEach
  void write() throws Exception {
    data = temp.resolve("data");
    onLog(
        log -> {
          for (int i = 1; i <= 5; i++) {
            append(log, "record" + i, i);
          }
        });
  }

  private interface OnLog {
    void run(Log log) throws Exception;
  }

  private void onLog(OnLog work) throws Exception {
    onLog(data, work);
  }

  private static void onLog(Path data, OnLog work) throws Exception {
    LogConfig config =
        new LogConfig(1 << 16, 1 << 12, 10, 1 << 20, Duration.ofDays(1), 10, Duration.ofDays(1));
    LogContext context =
        new LogContext(
            new FileDisk(),
            InstantSource.system(),
            new Random(),
            (stream, bytes, at, length, key) -> key[0] = bytes[at],
            LogMeter.NONE,
            failure -> {});
    try (DataFolder folder =
            DataFolder.open(data, SegmentOwner::ofNewest, DataFolder.OnClone.REFUSE, new Random());
        Log log = Log.open(config, context, folder.path(), folder.node())) {
      work.run(log);
    }
  }

  @Test
  void sound_saysThatNothingIsMissing() {
    Shell.Result result = salvage(temp.resolve("new"));
    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("has 5 records: traces 5", "Nothing is missing.");
  }

  @Test
  void erased_staysErased_andIsNotMissing() throws Exception {
    onLog(
        log ->
            log.rewriter()
                .rewrite(
                    (_, _, bytes, offset, length) ->
                        new String(bytes, offset, length, StandardCharsets.UTF_8).equals("record3")
                            ? RecordRewrite.ERASE
                            : RecordRewrite.KEEP,
                    (_, _, _) -> {}));
    Path segment = data.resolve("log/00000000000000000001.log");
    assertThat(Files.readString(segment, StandardCharsets.ISO_8859_1))
        .contains("record2")
        .doesNotContain("record3");
    Shell.Result result = salvage(temp.resolve("new"));
    assertThat(result.code()).as(result.toString()).isZero();
    assertThat(result.out()).contains("has 5 records: traces 5", "Nothing is missing.");
    assertThat(segmentFormat(temp.resolve("new"))).as("an earlier version refuses it").isEqualTo(2);
    onLog(
        temp.resolve("new"),
        log -> {
          try (LogReader reader = log.reader(1)) {
            List<Long> seen = new ArrayList<>();
            while (reader.next()) {
              seen.add(reader.sequence());
            }
            assertThat(seen).containsExactly(1L, 2L, 4L, 5L);
          }
          assertThat(log.accepted().total()).isEqualTo(5);
        });
  }

  private static int segmentFormat(Path folder) throws IOException {
    byte[] bytes = Files.readAllBytes(folder.resolve("log/00000000000000000001.log"));
    return ByteBuffer.wrap(bytes).getInt(8);
  }

  @Test
  void damaged_saysWhatIsMissing_andFails() throws Exception {
    Path segment = data.resolve("log/00000000000000000001.log");
    String text = Files.readString(segment, StandardCharsets.ISO_8859_1);
    String damaged = text.replace("record3", "rekord3");
    Files.writeString(segment, damaged, StandardCharsets.ISO_8859_1);
    Shell.Result result = salvage(temp.resolve("new"));
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out())
        .contains(
            "has 4 records: traces 4",
            "missing: sequences 3 to 3, 1 records: traces 1",
            "1 records are missing; the ledger counts them as lost.");
    assertThat(Files.readString(segment, StandardCharsets.ISO_8859_1)).isEqualTo(damaged);
    Shell.Result again = salvage(temp.resolve("new"));
    assertThat(again.code()).isEqualTo(1);
    assertThat(again.err()).startsWith("gilmok: " + temp.resolve("new") + " is there");
    assertThat(Shell.run("log", "ls", "--data", temp.resolve("new").toString()).out().lines())
        .anyMatch(line -> line.matches("00000000000000000001.log +1 +2 .*"))
        .anyMatch(line -> line.matches("00000000000000000004.log +4 +2 .*"));
  }

  private Shell.Result salvage(Path target) {
    return Shell.run("log", "salvage", "--data", data.toString(), "--to", target.toString());
  }

  private static void append(Log log, String text, int key) throws InterruptedException {
    AppendBatch batch = new AppendBatch();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    batch.add(Stream.TRACES, bytes, 0, bytes.length, key, key);
    CountDownLatch durable = new CountDownLatch(1);
    log.append(
        batch,
        new AppendCompletion() {
          @Override
          protected void durable() {
            durable.countDown();
          }
        });
    assertThat(durable.await(20, TimeUnit.SECONDS)).isTrue();
  }
}
