package gilmok.collect.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.collect.json.JsonDocument;
import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import gilmok.event.Reason;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class DialectEventTest {
  private static final String PLAIN =
      "{\"riderId\":\"d\",\"at\":\"1970-01-01T00:00:00.001Z\",\"lat\":1,\"lon\":2";

  private final Upload upload = Upload.of("0123456789", 0);
  private final Events events = new Events();
  private final DialectEvent dialectEvent = new DialectEvent();

  @BeforeEach
  void begin() {
    dialectEvent.upload(
        events, device -> device.startsWith("phone-") ? device.substring(6) : device);
  }

  @Test
  void end_fieldsInAnyOrder_isThatEvent() {
    dialectEvent.begin(EventKind.POSITION, 0, 0, 10).attribute("x", 1).place("lat", 1, "lon", 2);
    dialectEvent
        .number(EventField.SPEED, 3.5)
        .text(EventField.PROVIDER, "gps")
        .at("t", 1)
        .device("id", " d ")
        .end();
    assertThat(event())
        .isEqualTo(plain(",\"speed\":3.5,\"provider\":\"gps\",\"attributes\":{\"x\":1}"));
  }

  @Test
  void device_ofAnotherRider_isKeptAsAttribute() {
    position("phone-7").end();
    assertThat(event()).contains("\"riderId\":\"7\"").contains("{\"device\":\"phone-7\"}");
    assertThat(dialectEvent.devices()).containsExactly("phone-7");
  }

  @Test
  void devices_eachOnce_soundOnesOnly() {
    position("b").end();
    position("a").end();
    position("b").end();
    position("x".repeat(129)).end();
    position("t\tab").end();
    position(" ").end();
    assertThat(dialectEvent.devices()).containsExactly("b", "a");
    assertThat(decoded().rejects())
        .containsExactly("id: too long", "id: control character", "id: missing");
    dialectEvent.upload(events, device -> device);
    assertThat(dialectEvent.devices()).isEmpty();
  }

  @Test
  void reject_firstReasonStays_withThePlace() {
    dialectEvent
        .begin(EventKind.POSITION, 3, 2, 7)
        .at("tst", PhoneTimes.NOT_A_TIME)
        .place("lat", 91, "lon", 2);
    dialectEvent.end();
    assertThat(decoded().reject()).isEqualTo("tst: not a time");
    assertThat(decoded().rejected()).containsExactly("23456");
    assertThat(events.rejectIndex(0)).isEqualTo(3);
  }

  @Test
  void end_whatWasNeverSet_isMissing() {
    dialectEvent.begin(EventKind.POSITION, 0, 0, 10).device("id", "d").end();
    assertThat(decoded().reject()).isEqualTo("at: missing");
  }

  @Test
  void place_noNumberOrOutOfRange_rejectsUnderTheAppsName() {
    dialectEvent
        .begin(EventKind.POSITION, 0, 0, 10)
        .place("latitude", Double.NaN, "longitude", 2)
        .end();
    dialectEvent
        .begin(EventKind.POSITION, 1, 0, 10)
        .place("latitude", 1, "longitude", -180.1)
        .end();
    assertThat(decoded().rejects())
        .containsExactly("latitude: not a number", "longitude: out of range");
  }

  @Test
  void number_outOfRange_becomesAnAttribute() {
    position("d").number(EventField.BEARING, 361).number(EventField.SPEED, Double.NaN).end();
    assertThat(event()).isEqualTo(plain(",\"attributes\":{\"bearing\":361}"));
  }

  @Test
  void text_thatDoesNotFit_becomesAnAttribute() {
    String id = "x".repeat(129);
    position("d")
        .text(EventField.ID, id)
        .text(EventField.PROVIDER, null)
        .text(EventField.PROVIDER, "")
        .end();
    assertThat(event()).isEqualTo(plain(",\"attributes\":{\"id\":\"" + id + "\"}"));
  }

  /**
   * A field that the kind does not have must become an attribute: written as a field, it would make
   * an event that cannot be read.
   */
  @Test
  void logLine_fieldsOfAPosition_becomeAttributes() {
    dialectEvent
        .begin(EventKind.LOG_LINE, 0, 0, 10)
        .device("id", "d")
        .at("t", 1)
        .place("lat", 1, "lon", 200);
    dialectEvent
        .text(EventField.LEVEL, "info")
        .text(EventField.MESSAGE, "heartbeat")
        .text(EventField.PROVIDER, "gps");
    dialectEvent.number(EventField.BATTERY, 0.5).end();
    assertThat(event())
        .endsWith(
            "\"message\":\"heartbeat\",\"attributes\":{\"lat\":1,\"lon\":200,"
                + "\"provider\":\"gps\",\"battery\":0.5}}");
  }

  @Test
  void attribute_65Members_theFirst62AndWordOfIt() {
    position("d");
    for (int i = 0; i < 65; i++) {
      dialectEvent.attribute("n" + i, i);
    }
    dialectEvent.end();
    assertThat(event())
        .contains("\"n61\":61,\"attributesDropped\":true}")
        .doesNotContain("\"n62\"");
  }

  @Test
  void attribute_62Members_allOfThem() {
    position("d");
    for (int i = 0; i < 62; i++) {
      dialectEvent.attribute("n" + i, i);
    }
    dialectEvent.end();
    assertThat(event()).contains("\"n61\":61").doesNotContain("attributesDropped");
  }

  @Test
  void attribute_20KiB_isDropped_andTheOthersStay() {
    position("d").attribute("a", "x").attribute("big", "y".repeat(20 * 1024));
    dialectEvent.attribute("b", 1).end();
    assertThat(event())
        .endsWith("\"attributes\":{\"a\":\"x\",\"b\":1,\"attributesDropped\":true}}");
  }

  /** Escaping makes attributes longer; those that were accepted must still fit into the event. */
  @Test
  void attribute_manyLargeOnes_neverCostThePosition() {
    for (int size = 100; size < 16_500; size += 37) {
      position("d");
      for (int i = 0; i < 65; i++) {
        dialectEvent.attribute("\u0001\"길".repeat(i) + i, "\u0002\"길".repeat(size / (i + 1)));
      }
      dialectEvent.end();
      assertThat(event()).contains("attributesDropped");
      events.clear();
    }
  }

  @Test
  void attribute_sameNameAgain_theFirstStaysAndWordOfIt() {
    position("d").attribute("a", 1).attribute("a", "two").end();
    assertThat(event()).isEqualTo(plain(",\"attributes\":{\"a\":1,\"attributesDropped\":true}"));
  }

  @Test
  void attribute_calledAttributesDropped_isDroppedItself() {
    position("d").attribute("attributesDropped", 0).attribute("a", 1).end();
    assertThat(event()).isEqualTo(plain(",\"attributes\":{\"a\":1,\"attributesDropped\":true}"));
  }

  @Test
  void attribute_ofTheEventBefore_isForgotten() {
    position("d").attribute("a", 1).attribute("a", 2).number(EventField.SPEED, 1).end();
    events.clear();
    position("d").end();
    assertThat(event()).isEqualTo(plain(""));
  }

  @Test
  void attribute_typed() {
    position("d").attribute("whole", 5.0).attribute("part", 0.1).attribute("large", 1e20);
    dialectEvent
        .attribute("minus", -0.0)
        .attribute("none", Double.NaN)
        .attribute("most", 1e308 * 10);
    dialectEvent.attribute("text", "\"길\n").end();
    assertThat(event())
        .isEqualTo(
            plain(
                ",\"attributes\":{\"whole\":5,\"part\":0.1,\"large\":1.0E20,\"minus\":0,"
                    + "\"text\":\"\\\"길\\n\"}"));
  }

  @Test
  void attribute_ofADocument_asItWasSent() {
    byte[] text =
        "{\"a\": [1.50, {\"b\" : null}], \"n\":null, \"bad\":[\"\\ud800\"]}"
            .getBytes(StandardCharsets.UTF_8);
    JsonDocument document = new JsonDocument();
    int root = document.read(text, 0, text.length);
    position("d");
    for (int member = document.first(root); member >= 0; member = document.next(member)) {
      dialectEvent.attribute(document.name(member), document, member);
    }
    dialectEvent.attribute("none", document, JsonDocument.NONE);
    dialectEvent.attribute("json", new JsonBuffer().ascii("[]")).end();
    assertThat(event())
        .isEqualTo(
            plain(
                ",\"attributes\":{\"a\":[1.50,{\"b\":null}],\"json\":[],"
                    + "\"attributesDropped\":true}"));
  }

  @Test
  void at_outOfRange_rejects() {
    dialectEvent.begin(EventKind.POSITION, 0, 0, 10).at("timestamp", -1).end();
    dialectEvent.begin(EventKind.POSITION, 1, 0, 10).at("timestamp", 4_133_980_800_000L).end();
    assertThat(decoded().rejects()).containsOnly("timestamp: " + Reason.OUT_OF_RANGE).hasSize(2);
  }

  private DialectEvent position(String device) {
    dialectEvent.begin(EventKind.POSITION, 0, 0, 10).device("id", device);
    return dialectEvent.at("t", 1).place("lat", 1, "lon", 2);
  }

  private String event() {
    return decoded().event();
  }

  private Decoded decoded() {
    return Decoded.of(events, upload);
  }

  private static String plain(String rest) {
    return PLAIN + rest + "}";
  }
}
