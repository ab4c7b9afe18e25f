package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Texts as records, whose key depends on the text alone: what the log's tests append and read. */
final class Records {
  static final RecordKeys KEYS = (stream, bytes, at, length, key) -> key(bytes, at, length, key);

  private Records() {}

  static AppendBatch draft(String... texts) {
    return draft(List.of(texts));
  }

  static AppendBatch draft(List<String> texts) {
    AppendBatch batch = new AppendBatch();
    long[] key = new long[2];
    for (String text : texts) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      key(bytes, 0, bytes.length, key);
      batch.add(stream(text), bytes, 0, bytes.length, key[0], key[1]);
    }
    return batch;
  }

  /**
   * The stream of a text, always the same, so that a test can check that it is kept. The texts of
   * {@link OldLog} are of the streams that there were before {@link Stream#AUDIT}.
   */
  static Stream stream(String text) {
    boolean isOld = text.startsWith("record-") || text.startsWith("torn");
    return Stream.of(1 + Math.floorMod(text.hashCode(), isOld ? 5 : Stream.values().length));
  }

  /** The bytes that an append batch of these texts takes. */
  static int size(List<String> texts) {
    int size = 0;
    for (String text : texts) {
      size += AppendBatch.FRAME_BYTES + text.length();
    }
    return size;
  }

  static String text(LogReader reader) {
    String text =
        new String(reader.bytes(), reader.offset(), reader.length(), StandardCharsets.UTF_8);
    assertThat(reader.stream()).isEqualTo(stream(text));
    return text;
  }

  /** All records that a reader still returns, by sequence. */
  static Map<Long, String> read(LogReader reader) throws IOException {
    Map<Long, String> records = new TreeMap<>();
    try (reader) {
      while (reader.next()) {
        assertThat(records.put(reader.sequence(), text(reader))).isNull();
      }
    }
    return records;
  }

  /** Appends the texts and waits until they are durable. */
  static Waiting append(Log log, String... texts) throws InterruptedException {
    return append(log, draft(texts));
  }

  static Waiting append(Log log, AppendBatch batch) throws InterruptedException {
    Waiting ticket = new Waiting();
    long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    AppendResult result = log.append(batch, ticket);
    while (result == AppendResult.FULL || result == AppendResult.BUSY) {
      assertThat(System.nanoTime()).as("still " + result).isLessThan(giveUp);
      Thread.sleep(0, 100_000);
      result = log.append(batch, ticket);
    }
    assertThat(result).isEqualTo(AppendResult.TAKEN);
    ticket.await();
    return ticket;
  }

  /** A text of about that length, a different one for each number. */
  static String text(String name, int number, int length) {
    String head = name + number + ":";
    return head + "x".repeat(Math.max(0, length - head.length()));
  }

  private static void key(byte[] bytes, int offset, int length, long[] key) {
    long high = 0x9E3779B97F4A7C15L;
    long low = length;
    for (int i = offset; i < offset + length; i++) {
      high = (high ^ bytes[i]) * 0x100000001B3L;
      low = low * 31 + bytes[i];
    }
    key[0] = new Random(high).nextLong();
    key[1] = low;
  }

  /** A completion that a test can wait for. */
  static final class Waiting extends AppendCompletion {
    private final CountDownLatch durable = new CountDownLatch(1);

    @Override
    protected void durable() {
      assertThat(durable.getCount()).isEqualTo(1);
      durable.countDown();
    }

    boolean isDurable() {
      return durable.getCount() == 0;
    }

    void await() throws InterruptedException {
      assertThat(durable.await(20, TimeUnit.SECONDS)).as("durable within 20 s").isTrue();
    }
  }
}
