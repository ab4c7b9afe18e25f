package gilmok.statements;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.background.BackgroundLoops;
import gilmok.event.DedupKey;
import gilmok.event.EventKind;
import gilmok.event.JsonBuffer;
import gilmok.event.JsonRecord;
import gilmok.log.AppendBatch;
import gilmok.log.AppendCompletion;
import gilmok.log.AppendResult;
import gilmok.log.Log;
import gilmok.log.LogConfig;
import gilmok.log.LogContext;
import gilmok.log.LogMeter;
import gilmok.log.LogReader;
import gilmok.log.RecordKeys;
import gilmok.log.Stream;
import gilmok.observe.Meters;
import gilmok.storage.FileDisk;
import gilmok.storage.NodeId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which completed deliveries become entries. */
@Tag("unit")
final class StatementReaderTest {
  private static final LogConfig SMALL =
      new LogConfig(
          1 << 16, 1 << 14, 200, 10L << 16, Duration.ofDays(1), 1_000, Duration.ofSeconds(1));

  @TempDir Path folder;

  /** An older version took any fee: such a delivery is counted, and the others have their entry. */
  @Test
  void take_aFeeThatNoEntryHolds_isCountedAsUnusable() throws Exception {
    MemoryEntries entries = new MemoryEntries();
    try (Meters meters = new Meters();
        Log log =
            Log.open(
                SMALL,
                new LogContext(
                    new FileDisk(),
                    InstantSource.system(),
                    new Random(1),
                    keys(),
                    LogMeter.NONE,
                    failure -> {
                      throw new AssertionError(failure);
                    }),
                folder,
                new NodeId(7))) {
      append(log, "a", "1000000000000", "b", "1000000000001", "c", "9007199254740991");
      StatementMeters counted = new StatementMeters(meters);
      StatementReader taker =
          new StatementReader(log, entries, counted, BackgroundLoops.unwatched());
      try (LogReader reader = log.reader(1)) {
        assertThat(reader.next() && taker.take(reader)).isTrue();
        assertThat(reader.next() && taker.take(reader)).isFalse();
        assertThat(reader.next() && taker.take(reader)).isFalse();
      }
      taker.settle();
      assertThat(new String(meters.scrape(), StandardCharsets.UTF_8))
          .contains("gilmok_statements_unusable_records_total 2");
    }
    List<StatementEntry> kept = entries.page("r-1", 0, Long.MAX_VALUE, null, 10);
    assertThat(kept).extracting(StatementEntry::id).containsExactly("delivery:a");
    assertThat(kept.getFirst().amount()).isEqualTo(StatementEntry.AMOUNT_MAX);
  }

  private static void append(Log log, String... idsAndFees) throws InterruptedException {
    AppendBatch batch = new AppendBatch();
    long[] key = new long[2];
    for (int i = 0; i < idsAndFees.length; i += 2) {
      JsonBuffer json = new JsonBuffer();
      json.ascii("{\"type\":\"delivery.completed\",\"data\":{\"riderId\":\"r-1\"");
      json.ascii(",\"currency\":\"KRW\",\"id\":\"").ascii(idsAndFees[i]);
      json.ascii("\",\"fee\":").ascii(idsAndFees[i + 1]);
      json.ascii("},\"event\":{\"at\":\"2026-03-01T09:00:00Z\"}}");
      byte[] record = JsonRecord.encode(EventKind.DELIVERY, idsAndFees[i] + ":5", json);
      keys().key(Stream.DELIVERIES, record, 0, record.length, key);
      batch.add(Stream.DELIVERIES, record, 0, record.length, key[0], key[1]);
    }
    CountDownLatch durable = new CountDownLatch(1);
    assertThat(log.append(batch, AppendCompletion.of(durable::countDown)))
        .isEqualTo(AppendResult.TAKEN);
    durable.await();
  }

  private static RecordKeys keys() {
    DedupKey repeat = new DedupKey(new byte[DedupKey.SECRET_BYTES]);
    return (stream, bytes, offset, length, key) -> {
      repeat.hash(stream.code(), bytes, offset, length);
      key[0] = repeat.high();
      key[1] = repeat.low();
    };
  }
}
