package gilmok.positions.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.observe.Meters;
import gilmok.positions.PositionBatch;
import gilmok.redis.FlatReply;
import gilmok.redis.Resp;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Positions out of the bytes of Redis' replies; what is none is skipped and counted. */
@Tag("unit")
@ResourceLock("java.util.logging")
final class RedisRecordsTest {
  private static final long NOON = 1_700_000_000_000L;
  private static final String RECORD =
      "{\"riderId\":\"김\",\"at\":\"2023-11-14T22:13:20Z\",\"lat\":37.5,\"lon\":127}";

  private final Meters meters = new Meters();
  private final PositionBatch batch = new PositionBatch();
  private final FleetRecords records =
      new FleetRecords("nodeaaaaaaaa", new FleetMeters(meters), batch);
  private final FlatReply reply = new FlatReply(1000);

  @AfterEach
  void close() {
    meters.close();
  }

  @Test
  void entries_ofOthers_areRead_andOwnOnesSkipped() {
    Resp stream =
        entries(
            entry("1700000000001-0", "nodebbbbbbbb:7", RECORD, Long.toString(NOON)),
            entry("1700000000001-1", "nodeaaaaaaaa:9", "not even looked at", "1"),
            entry("1700000000002-0", "nodecccccccc:1", RECORD, Long.toString(NOON - 5)));
    stream.into(reply);
    assertThat(RedisRecords.readEntries(reply, records)).isEqualTo(3);
    assertThat(RedisRecords.lastId(reply, 3)).isEqualTo(new EntryId(1700000000002L, 0));
    assertThat(batch.count()).isEqualTo(2);
    assertThat(batch.oldest()).isEqualTo(NOON - 5);
    assertThat(read("own")).isEqualTo(1);
    assertThat(read("invalid")).isZero();
  }

  @Test
  void anEntryWithoutItsArrival_hasThatOfItsId() {
    Resp old = new Resp().array(2).texts("1700000000001-0").array(4);
    old.texts("recordId", "nodebbbbbbbb:7", "record", RECORD);
    entries(old).into(reply);
    assertThat(RedisRecords.readEntries(reply, records)).isEqualTo(1);
    assertThat(batch.oldest()).isEqualTo(1_700_000_000_001L);
  }

  @Test
  void whatIsNoPosition_isSkippedAndCounted_andTheFirstIsNamed() {
    List<String> told = new ArrayList<>();
    Handler handler = handler(told);
    Logger logger = Logger.getLogger("gilmok.positions");
    logger.addHandler(handler);
    try {
      Resp bare = new Resp().array(2).texts("1-1").array(2).texts("a", "b");
      Resp odd = new Resp().array(2).texts("1-2").array(1).texts("record");
      entries(
              entry("1-0", "x:1", "not JSON", "0"),
              bare,
              odd,
              entry("1-3", "x:1", "[]", "0"),
              entry("1-4", "x:1", RECORD + RECORD, "0"),
              entry("1-5", "x:1", RECORD.replace("37.5", "97.5"), "0"),
              entry("1-6", "x:1", RECORD.replace("김", "x".repeat(2000)), "0"),
              entry("1-7", "x:1", "", "0"),
              entry("1-8", "x:1", RECORD, "-5"))
          .into(reply);
      assertThat(RedisRecords.readEntries(reply, records)).isEqualTo(9);
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(batch.count()).as("the last one is sound but for its time").isEqualTo(1);
    assertThat(batch.oldest()).isEqualTo(1);
    assertThat(read("invalid")).isEqualTo(8);
    assertThat(told).hasSize(1);
    assertThat(told.getFirst()).contains("1-0");
  }

  @Test
  void noEntries_areNone() {
    new Resp().nothing().into(reply);
    assertThat(RedisRecords.readEntries(reply, records)).isZero();
  }

  @Test
  void aPage_hasRidersAndTheNext_withoutTheRecordsIds() {
    String latest = RECORD.substring(0, RECORD.length() - 1) + ",\"recordId\":\"nodeaaaaaaaa:9\"}";
    String named = latest.replace("\"lat\"", "\"note\":\"\\\"},\\\"recordId\\\":\",\"lat\"");
    new Resp()
        .array(2)
        .texts("17")
        .array(10)
        .texts("김", latest, "b", named, "c", RECORD, "d", "", "e", "\",\"recordId\":\"x\"}")
        .into(reply);
    byte[] next = RedisRecords.readPage(reply, records);
    assertThat(next).isEqualTo("17".getBytes(StandardCharsets.US_ASCII));
    assertThat(batch.count()).as("own ones, too").isEqualTo(2);
    assertThat(batch.oldest()).isEqualTo(PositionBatch.UNKNOWN);
    assertThat(read("invalid")).isEqualTo(3);
  }

  @Test
  void whatIsNoPage_isNone() {
    new Resp().array(1).texts("0").into(reply);
    assertThat(RedisRecords.readPage(reply, records)).isNull();
  }

  private double read(String result) {
    String line = "gilmok_positions_fleet_read_total{result=\"" + result + "\"} ";
    return new String(meters.scrape(), StandardCharsets.UTF_8)
        .lines()
        .filter(one -> one.startsWith(line))
        .mapToDouble(one -> Double.parseDouble(one.substring(line.length())))
        .sum();
  }

  private static Resp entries(Resp... entries) {
    Resp all = new Resp().array(1).array(2).texts("gilmok:positions").array(entries.length);
    for (Resp entry : entries) {
      all.all(entry);
    }
    return all;
  }

  private static Resp entry(String id, String recordId, String record, String receivedAt) {
    Resp entry = new Resp().array(2).texts(id).array(12);
    entry.texts("recordId", recordId, "dedupKey", "00", "riderId", "r", "at", "1");
    return entry.texts("record", record, "receivedAt", receivedAt);
  }

  private static Handler handler(List<String> told) {
    return new Handler() {
      @Override
      public void publish(LogRecord record) {
        told.add(String.format("%s %s", record.getMessage(), List.of(record.getParameters())));
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }
}
