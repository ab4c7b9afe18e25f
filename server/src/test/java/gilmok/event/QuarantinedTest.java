package gilmok.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class QuarantinedTest {
  @Test
  void encode_text_rendersIt() {
    byte[] raw = "xx{\"lat\":\"길\"}".getBytes(StandardCharsets.UTF_8);
    byte[] bytes = encoded(raw, 2, raw.length);
    assertThat(Samples.json(bytes))
        .isEqualTo(
            "{\"stream\":\"traces\",\"index\":300,\"field\":\"lat\",\"reason\":\"not a number\","
                + "\"raw\":\"{\\\"lat\\\":\\\"길\\\"}\"}");
  }

  @Test
  void encode_noText_rendersBase64() {
    assertThat(Samples.json(encoded(new byte[] {(byte) 0xff, 0}, 0, 2)))
        .endsWith(",\"rawBase64\":\"/wA=\"}");
  }

  @Test
  void encode_tooLong_keepsTheFirstAndSaysSo() {
    byte[] raw = new byte[Quarantined.RAW_BYTES_MAX + 1];
    Arrays.fill(raw, (byte) 'a');
    byte[] bytes = encoded(raw, 0, raw.length);
    QuarantinedView view = new QuarantinedView().wrap(bytes, 0, bytes.length);
    assertThat(view.isCut()).isTrue();
    assertThat(view.raw()).hasSize(Quarantined.RAW_BYTES_MAX);
    bytes = encoded(raw, 1, raw.length);
    assertThat(view.wrap(bytes, 0, bytes.length).isCut()).isFalse();
    assertThat(view.stream() + view.index() + view.field() + view.reason())
        .isEqualTo("traces300latnot a number");
  }

  @Test
  void wrap_everyCut_isDamage() {
    byte[] bytes = encoded(new byte[20], 0, 20);
    for (int length = 0; length < bytes.length; length++) {
      int cut = length;
      assertThatThrownBy(() -> new QuarantinedView().wrap(bytes, 0, cut))
          .isInstanceOf(DamagedEvent.class);
    }
  }

  private static byte[] encoded(byte[] raw, int start, int end) {
    Quarantined record = new Quarantined();
    record.encode("traces", 300, "lat", "not a number", raw, start, end);
    return Arrays.copyOf(record.bytes(), record.size());
  }
}
