package gilmok.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class DedupKeyTest {
  private static final byte[] SECRET = counted(16);

  /** Vectors of the reference code for SipHash-2-4 with 128 bits; the input is 00, 01, 02 … */
  @ParameterizedTest
  @CsvSource({
    "0, a3817f04ba25a8e66df67214c7550293",
    "1, da87c1d86b99af44347659119b22fc45",
    "2, 8177228da4a45dc7fca38bdef60affe4",
    "7, a1f1ebbed8dbc153c0b84aa61ff08239",
    "8, 3b62a9ba6258f5610f83e264f31497b4"
  })
  void sip_twoFourRounds_giveTheReferencesVectors(int length, String expected) {
    DedupKey key = new DedupKey(SECRET, 2, 4);
    key.hash(counted(length), 0, length);
    assertThat(HexFormat.of().formatHex(bytes(key))).isEqualTo(expected);
  }

  @Test
  void hash_withId_coversStreamRiderAndId() {
    Set<String> keys = new HashSet<>();
    keys.add(key(1, event("r", "12", 1)));
    keys.add(key(2, event("r", "12", 1)));
    keys.add(key(1, event("r1", "2", 1)));
    keys.add(key(1, event("r", "13", 1)));
    assertThat(keys).hasSize(4).contains(key(1, event("r", "12", 2)));
  }

  @Test
  void hash_withoutId_coversStreamAndAllBytes() {
    Set<String> keys = new HashSet<>();
    keys.add(key(1, event("r", "", 1)));
    keys.add(key(2, event("r", "", 1)));
    keys.add(key(1, event("r", "", 2)));
    assertThat(keys).hasSize(3).contains(key(1, event("r", "", 1)));
  }

  @Test
  void hash_quarantined_coversAllBytes() {
    QuarantinedEncoder one = new QuarantinedEncoder();
    byte[] raw = counted(100);
    Set<String> keys = new HashSet<>();
    for (int end = 80; end < 100; end++) {
      one.encode("traces", 0, "lat", "missing", raw, 0, end);
      keys.add(key(5, Arrays.copyOf(one.bytes(), one.size())));
    }
    assertThat(keys).hasSize(20);
  }

  @Test
  void hash_refusedBySinks_isTheSameForTheSameAndAnotherForAnother() {
    Set<String> keys = new HashSet<>();
    for (int round = 0; round < 2; round++) {
      keys.add(refused("redis", "aaaaaaaaaaaa:1"));
      keys.add(refused("files", "aaaaaaaaaaaa:1"));
      keys.add(refused("redis", "aaaaaaaaaaaa:2"));
    }
    assertThat(keys).hasSize(3);
  }

  @Test
  void new_secretOfWrongLength_isRefused() {
    assertThatThrownBy(() -> new DedupKey(new byte[15]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static String key(int stream, byte[] event) {
    byte[] around = new byte[event.length + 9];
    System.arraycopy(event, 0, around, 5, event.length);
    DedupKey key = new DedupKey(SECRET);
    key.hash(stream, around, 5, event.length);
    return HexFormat.of().formatHex(bytes(key));
  }

  private static String refused(String sink, String origin) {
    QuarantinedEncoder one = new QuarantinedEncoder();
    byte[] json = {'{', '}'};
    one.encodeRefused("traces", sink, origin, "", "no", json, 0, 2);
    return key(5, Arrays.copyOf(one.bytes(), one.size()));
  }

  private static byte[] event(String rider, String id, long at) {
    Event event = Samples.position(rider, at, 1, 2);
    if (!id.isEmpty()) {
      Samples.text(event, EventField.ID, id);
    }
    return Samples.encoded(event);
  }

  private static byte[] bytes(DedupKey key) {
    return ByteBuffer.allocate(16)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(key.high())
        .putLong(key.low())
        .array();
  }

  private static byte[] counted(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }
}
