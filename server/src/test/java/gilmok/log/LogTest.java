package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.storage.FileDisk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log on a real disk: each appended record is read once, also after reopening. */
@Tag("unit")
final class LogTest {
  private static final LogConfig SMALL =
      new LogConfig(1 << 16, 1 << 13, 1000, 1 << 22, Duration.ofDays(1), 1000, Duration.ofHours(1));

  @TempDir Path data;
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  @AfterEach
  void nothingFailedAndTheFilesAreSound() throws IOException {
    assertThat(failures).isEmpty();
    LogIntegrity.check(new FileDisk(), data);
  }

  @Test
  void append_thenRead_givesTheSameRecords() throws Exception {
    try (Log log = open(SMALL)) {
      append(log, "one", "two", "three");
      assertThat(read(log, 1)).containsExactly("1:one", "2:two", "3:three");
      assertThat(read(log, 2)).containsExactly("2:two", "3:three");
    }
  }

  @Test
  void append_manyMoreThanASegment_rollsAndReadsOn() throws Exception {
    try (Log log = open(SMALL)) {
      for (int i = 1; i <= 3000; i++) {
        append(log, "record-" + i + "-" + "x".repeat(80));
      }
      assertThat(log.segments()).isGreaterThan(3);
      assertThat(read(log, 1)).hasSize(3000).startsWith("1:record-1-" + "x".repeat(80));
    }
    try (Log log = open(SMALL)) {
      assertThat(read(log, 2999)).hasSize(2);
      append(log, "after");
      assertThat(read(log, 3001)).containsExactly("3001:after");
    }
  }

  @Test
  void append_repeats_areMarkedAndNotStored_alsoAfterReopening() throws Exception {
    try (Log log = open(SMALL)) {
      append(log, "one", "two");
    }
    try (Log log = open(SMALL)) {
      AppendBatch batch = draft("two", "three", "one", "three");
      Waiting ticket = new Waiting();
      assertThat(log.append(batch, ticket)).isEqualTo(AppendResult.TAKEN);
      ticket.await();
      assertThat(batch.repeatCount()).isEqualTo(3);
      assertThat(batch.isRepeat(0)).isTrue();
      assertThat(batch.isRepeat(1)).isFalse();
      assertThat(ticket.first()).isEqualTo(3);
      assertThat(ticket.stored()).isEqualTo(1);
      assertThat(read(log, 1)).containsExactly("1:one", "2:two", "3:three");
    }
  }

  @Test
  void open_tornTail_isCutAndACopyKept() throws Exception {
    try (Log log = open(SMALL)) {
      append(log, "one");
    }
    Path segment = data.resolve("log").resolve(SegmentFormat.fileName(1));
    int end = endOf(segment);
    overwrite(segment, end, "torn".getBytes(StandardCharsets.UTF_8));
    try (Log log = open(SMALL)) {
      assertThat(read(log, 1)).containsExactly("1:one");
      append(log, "two");
      assertThat(read(log, 1)).containsExactly("1:one", "2:two");
    }
    try (var torn = Files.list(data.resolve("log/torn"))) {
      assertThat(torn.toList()).singleElement().satisfies(p -> assertThat(p).hasContent("torn"));
    }
  }

  @Test
  void open_durableBatchDamaged_refusesAndNamesFileAndOffset() throws Exception {
    try (Log log = open(SMALL)) {
      append(log, "one");
      append(log, "two");
    }
    Path segment = data.resolve("log").resolve(SegmentFormat.fileName(1));
    byte[] sound = Files.readAllBytes(segment);
    overwrite(segment, SegmentFormat.HEADER_BYTES + 50, new byte[] {1, 2, 3});
    assertThatThrownBy(() -> open(SMALL))
        .isInstanceOf(DamagedLogException.class)
        .hasMessageContaining(segment.toString())
        .hasMessageContaining("offset " + SegmentFormat.HEADER_BYTES);
    overwrite(segment, 0, sound);
  }

  @Test
  void append_logAtItsBoundAndACursorBehind_isRefusedAndMends() throws Exception {
    LogConfig tiny =
        new LogConfig(
            1 << 14, 1 << 12, 1000, 3 << 14, Duration.ofDays(1), 1000, Duration.ofMillis(10));
    try (Log log = open(tiny)) {
      Cursor cursor = log.cursor("sink");
      AppendResult last = AppendResult.TAKEN;
      int taken = 0;
      while (last == AppendResult.TAKEN && taken < 10_000) {
        Waiting ticket = new Waiting();
        last = log.append(draft("n" + taken + "x".repeat(500)), ticket);
        if (last == AppendResult.TAKEN) {
          ticket.await();
          taken++;
        }
      }
      assertThat(last).isEqualTo(AppendResult.FULL);
      assertThat(log.bytes()).isLessThanOrEqualTo(tiny.bytesMax());
      cursor.advance(taken);
      for (long end = System.nanoTime() + 20_000_000_000L; System.nanoTime() < end; ) {
        if (log.append(draft("again"), new Waiting()) == AppendResult.TAKEN) {
          return;
        }
        TimeUnit.MILLISECONDS.sleep(5);
      }
      throw new AssertionError("still refused after the cursor had passed everything");
    }
  }

  @Test
  void close_thenAppend_isRefused() throws Exception {
    Log log = open(SMALL);
    log.close();
    assertThat(log.append(draft("late"), new Waiting())).isEqualTo(AppendResult.CLOSED);
  }

  private Log open(LogConfig config) throws IOException, InterruptedException {
    LogContext context =
        new LogContext(
            new FileDisk(),
            InstantSource.system(),
            new Random(7),
            (stream, bytes, offset, length, key) -> key(bytes, offset, length, key),
            LogMeter.NONE,
            failures::add);
    return Log.open(config, context, data, new NodeId(42));
  }

  private static void append(Log log, String... records) throws InterruptedException {
    Waiting ticket = new Waiting();
    AppendResult result = log.append(draft(records), ticket);
    while (result == AppendResult.FULL || result == AppendResult.BUSY) {
      TimeUnit.MILLISECONDS.sleep(1);
      result = log.append(draft(records), ticket);
    }
    assertThat(result).isEqualTo(AppendResult.TAKEN);
    ticket.await();
  }

  private static AppendBatch draft(String... records) {
    AppendBatch batch = new AppendBatch();
    long[] key = new long[2];
    for (String record : records) {
      byte[] bytes = record.getBytes(StandardCharsets.UTF_8);
      key(bytes, 0, bytes.length, key);
      batch.add(Stream.TRACES, bytes, 0, bytes.length, key[0], key[1]);
    }
    return batch;
  }

  private static void key(byte[] bytes, int offset, int length, long[] key) {
    String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
    key[0] = new Random(text.hashCode()).nextLong();
    key[1] = text.length();
  }

  private static List<String> read(Log log, long from) throws IOException {
    List<String> records = new ArrayList<>();
    try (LogReader reader = log.reader(from)) {
      while (reader.next()) {
        records.add(
            reader.sequence()
                + ":"
                + new String(
                    reader.bytes(), reader.offset(), reader.length(), StandardCharsets.UTF_8));
      }
    }
    return records;
  }

  private static int endOf(Path segment) throws IOException {
    byte[] bytes = Files.readAllBytes(segment);
    int at = SegmentFormat.HEADER_BYTES;
    while (BigEndian.getInt(bytes, at + BatchFormat.COUNT_AT) > 0) {
      at += BigEndian.getInt(bytes, at);
    }
    return at + BigEndian.getInt(bytes, at);
  }

  private static void overwrite(Path file, long offset, byte[] bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), offset);
    }
  }

  private static final class Waiting extends AppendCompletion {
    private final CountDownLatch durable = new CountDownLatch(1);

    @Override
    protected void durable() {
      durable.countDown();
    }

    void await() throws InterruptedException {
      assertThat(durable.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }
}
