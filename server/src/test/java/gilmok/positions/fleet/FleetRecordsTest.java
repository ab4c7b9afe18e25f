package gilmok.positions.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.collect.json.JsonDecoder;
import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import gilmok.log.Stream;
import gilmok.observe.Meters;
import gilmok.positions.PositionBatch;
import gilmok.sinks.Batch;
import gilmok.sinks.ShippedLine;
import gilmok.storage.NodeId;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Positions out of the lines that sinks ship, as they are shipped; what is none is not added. */
@Tag("unit")
@ResourceLock("java.util.logging")
final class FleetRecordsTest {
  private static final long NOON = 1_700_000_000_000L;
  private static final String BEFORE =
      "{\"sequence\":7,\"recordId\":\"n:7\",\"dedupKey\":\"0\",\"stream\":\"traces\"";
  private static final String ARRIVED = ",\"receivedAt\":\"2023-11-14T22:13:20Z\"";
  private static final String RECORD =
      "{\"riderId\":\"김\",\"at\":\"2023-11-14T22:13:20Z\",\"lat\":37.5,\"lon\":127}";

  private final Meters meters = new Meters();
  private final PositionBatch batch = new PositionBatch();
  private final FleetRecords records =
      new FleetRecords("nodeaaaaaaaa", new FleetMeters(meters), batch);

  @AfterEach
  void close() {
    meters.close();
  }

  /** What the sinks write is what is read here: also where its record looks like a line. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",\"attributes\":{\"flags\":[\"clock\"]}",
        ",\"attributes\":{\"receivedAt\":\"never\",\"record\":{\"a\":1}}",
        ",\"provider\":\"\\\",\\\"record\\\":{}},\\\"flags\\\":[\""
      })
  void aLineOfASink_isRead_withTheTimeOfItsArrival(String more) {
    for (long ahead : new long[] {0, 3_600_000}) { // then it has a flag
      String json = RECORD.substring(0, RECORD.length() - 1) + more + "}";
      byte[] body = json.getBytes(StandardCharsets.UTF_8);
      Events events = new Events();
      new JsonDecoder().decode(EventKind.POSITION, body, 0, body.length, events);
      Batch shipped = new Batch(NodeId.parse("zyxwvutsrqpo"));
      shipped.add(
          Stream.TRACES, 7, NOON + 5 - ahead, events.bytes(), events.offset(0), events.length(0));
      JsonBuffer line = new JsonBuffer();
      new ShippedLine().write(shipped, 0, line);
      assertThat(line.toString().endsWith("\"flags\":[\"clock\"]}")).isEqualTo(ahead > 0);

      batch.clear();
      assertThat(records.addShipped(line.copy())).as(line.toString()).isNull();
      assertThat(batch.count()).isEqualTo(1);
      assertThat(batch.oldest()).isEqualTo(NOON + 5 - ahead);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "not JSON",
        "{}",
        BEFORE,
        BEFORE + ARRIVED,
        BEFORE + ARRIVED + "}",
        BEFORE + ",\"record\":" + RECORD + "}",
        BEFORE + ",\"receivedAt\":\"noon\",\"record\":" + RECORD + "}",
        BEFORE + ",\"receivedAt\":\"2023-11-14T22:13:20Z",
        BEFORE + ARRIVED + ",\"record\":" + RECORD,
        BEFORE + ARRIVED + ",\"record\":",
        BEFORE + ARRIVED + ",\"record\":}",
        BEFORE + ARRIVED + ",\"record\":{}}",
        BEFORE + ARRIVED + ",\"record\":[]}",
        BEFORE + ARRIVED + ",\"record\":" + RECORD + ",\"flags\":[\"clock\"]",
        BEFORE + ARRIVED + ",\"record\":" + RECORD + ",\"more\":[1]}",
        BEFORE + ARRIVED + ",\"record\":{\"riderId\":\"\",\"at\":1,\"lat\":1,\"lon\":1}}"
      })
  void whatIsNoLineOfAPosition_isNotAdded(String line) {
    assertThat(records.addShipped(line.getBytes(StandardCharsets.UTF_8))).isNotNull();
    assertThat(batch.count()).isZero();
  }

  @Test
  void aLineThatIsTooLong_isNotLookedAt() {
    String line = BEFORE + ARRIVED + ",\"record\":" + RECORD + " ".repeat(70_000) + "}";
    assertThat(records.addShipped(line.getBytes(StandardCharsets.UTF_8))).contains("too long");
  }

  @Test
  void own_isWhatBeginsWithTheNode_andIsCounted() {
    assertThat(isOwn("nodeaaaaaaaa:1")).isTrue();
    assertThat(isOwn("nodeaaaaaaaa:")).isFalse();
    assertThat(isOwn("nodeaaaaaaaab:1")).isFalse();
    assertThat(isOwn("nodebbbbbbbb:1")).isFalse();
    assertThat(isOwn("")).isFalse();
    String own = "gilmok_positions_fleet_read_total{result=\"own\"} 1";
    assertThat(new String(meters.scrape(), StandardCharsets.UTF_8)).contains(own);
  }

  private boolean isOwn(String id) {
    byte[] bytes = ("x" + id).getBytes(StandardCharsets.US_ASCII);
    return records.isOwn(bytes, 1, bytes.length - 1);
  }
}
