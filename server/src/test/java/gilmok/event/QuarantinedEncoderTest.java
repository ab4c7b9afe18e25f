package gilmok.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class QuarantinedEncoderTest {
  /** The bytes that a version without sinks wrote for {@link #encoded} of "{}", in hex. */
  private static final String OLD =
      "1400" + "06747261636573" + "ac02" + "036c6174" + "0c6e6f742061206e756d626572" + "027b7d";

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
    byte[] raw = new byte[QuarantinedEncoder.RAW_BYTES_MAX + 1];
    Arrays.fill(raw, (byte) 'a');
    byte[] bytes = encoded(raw, 0, raw.length);
    QuarantinedView view = new QuarantinedView().wrap(bytes, 0, bytes.length);
    assertThat(view.isCut()).isTrue();
    assertThat(view.raw()).hasSize(QuarantinedEncoder.RAW_BYTES_MAX);
    bytes = encoded(raw, 1, raw.length);
    assertThat(view.wrap(bytes, 0, bytes.length).isCut()).isFalse();
    assertThat(view.stream() + view.index() + view.field() + view.reason())
        .isEqualTo("traces300latnot a number");
  }

  @Test
  void wrap_everyCut_isDamage() {
    assertEveryCutIsDamage(encoded(new byte[20], 0, 20));
    assertEveryCutIsDamage(refused("{}".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void encodeRefused_aRecord_rendersSinkAndOrigin() {
    byte[] bytes = refused("{\"lat\":1}".getBytes(StandardCharsets.UTF_8));
    assertThat(Samples.json(bytes))
        .isEqualTo(
            "{\"stream\":\"traces\",\"index\":0,\"field\":\"at\",\"reason\":\"too old\","
                + "\"sink\":\"redis\",\"origin\":\"aZ:17\",\"raw\":\"{\\\"lat\\\":1}\"}");
    QuarantinedView view = new QuarantinedView().wrap(bytes, 0, bytes.length);
    assertThat(view.sink() + " " + view.origin()).isEqualTo("redis aZ:17");
    byte[] collected = encoded(new byte[20], 0, 20);
    view.wrap(collected, 0, collected.length);
    assertThat(view.sink()).isNull();
    assertThat(view.origin()).isNull();
  }

  @Test
  void encodeRefused_tooLong_keepsTheFirstAndTheOrigin() {
    byte[] bytes = refused(new byte[QuarantinedEncoder.RAW_BYTES_MAX + 1]);
    QuarantinedView view = new QuarantinedView().wrap(bytes, 0, bytes.length);
    assertThat(view.isCut()).isTrue();
    assertThat(view.sink()).isEqualTo("redis");
    assertThat(view.raw()).hasSize(QuarantinedEncoder.RAW_BYTES_MAX);
  }

  @Test
  void encode_collected_isTheBytesOfOldLogs() {
    byte[] raw = {'{', '}'};
    assertThat(HexFormat.of().formatHex(encoded(raw, 0, 2))).isEqualTo(OLD);
    byte[] old = HexFormat.of().parseHex(OLD);
    QuarantinedView view = new QuarantinedView().wrap(old, 0, old.length);
    assertThat(view.stream() + view.index() + view.field() + view.reason() + view.sink())
        .isEqualTo("traces300latnot a numbernull");
    assertThat(view.raw()).isEqualTo(raw);
  }

  @Test
  void wrap_unknownBit_isDamage() {
    byte[] bytes = encoded(new byte[20], 0, 20);
    bytes[1] |= 4;
    assertThatThrownBy(() -> new QuarantinedView().wrap(bytes, 0, bytes.length))
        .isInstanceOf(DamagedEvent.class);
  }

  private static void assertEveryCutIsDamage(byte[] bytes) {
    for (int length = 0; length < bytes.length; length++) {
      int cut = length;
      assertThatThrownBy(() -> new QuarantinedView().wrap(bytes, 0, cut))
          .isInstanceOf(DamagedEvent.class);
    }
  }

  private static byte[] refused(byte[] json) {
    QuarantinedEncoder record = new QuarantinedEncoder();
    record.encodeRefused("traces", "redis", "aZ:17", "at", "too old", json, 0, json.length);
    return Arrays.copyOf(record.bytes(), record.size());
  }

  private static byte[] encoded(byte[] raw, int start, int end) {
    QuarantinedEncoder record = new QuarantinedEncoder();
    record.encode("traces", 300, "lat", "not a number", raw, start, end);
    return Arrays.copyOf(record.bytes(), record.size());
  }
}
