package gilmok.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class JsonRecordTest {
  private static final int STREAM = 4;

  @Test
  void encode_isTheJsonAsItWas_andItsId() {
    byte[] bytes = encoded("d:1", "{\"길\":[1,2]}");
    EventView view = new EventView().wrap(bytes, 0, bytes.length);
    assertThat(Samples.json(bytes)).isEqualTo("{\"길\":[1,2]}");
    assertThat(view.kind()).isEqualTo(EventKind.DELIVERY);
    assertThat(view.text(EventField.ID)).isEqualTo("d:1");
    assertThat(view.isAheadOf(0)).isFalse();
    assertThat(HexFormat.of().formatHex(encoded("d:1", "{}")))
        .isEqualTo("15" + "03643a31" + "027b7d");
  }

  @Test
  void aLongOne_isRead() {
    String json = "{\"a\":\"" + "x".repeat(100_000) + "\"}";
    assertThat(Samples.json(encoded("d:1", json))).isEqualTo(json);
  }

  @Test
  void wrap_everyCut_isDamage() {
    byte[] bytes = encoded("d:1", "{\"a\":1}");
    for (int length = 0; length < bytes.length; length++) {
      int cut = length;
      assertThatThrownBy(() -> new EventView().wrap(bytes, 0, cut))
          .isInstanceOf(DamagedEvent.class);
    }
  }

  @Test
  void keys_areOfTheIdAlone() {
    byte[] one = encoded("d:1", "{}");
    byte[] same = encoded("d:1", "{\"written\":\"by another version\"}");
    byte[] next = encoded("d:2", "{}");
    assertThat(repeat(same)).isEqualTo(repeat(one)).isNotEqualTo(repeat(next));
    assertThat(dedup(same)).isEqualTo(dedup(one)).isNotEqualTo(dedup(next));
  }

  private static String repeat(byte[] bytes) {
    DedupKey key = new DedupKey(new byte[DedupKey.SECRET_BYTES]);
    key.hash(STREAM, bytes, 0, bytes.length);
    return key.high() + " " + key.low();
  }

  private static String dedup(byte[] bytes) {
    EventView view = new EventView().wrap(bytes, 0, bytes.length);
    return new ShippedRecordKey().text(STREAM, view, 0, bytes.length);
  }

  private static byte[] encoded(String id, String json) {
    JsonBuffer buffer = new JsonBuffer();
    byte[] utf8 = json.getBytes(StandardCharsets.UTF_8);
    return JsonRecord.encode(EventKind.DELIVERY, id, buffer.raw(utf8, 0, utf8.length));
  }
}
