package gilmok.compress;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class CombinedCrc32Test {
  private final Random random = new Random(8);

  @Test
  void join_randomSplits_isTheCrcOfAll() {
    for (int run = 0; run < 2_000; run++) {
      byte[] all = new byte[random.nextInt(1 << random.nextInt(1, 17))];
      random.nextBytes(all);
      int at = random.nextInt(all.length + 1);
      byte[] a = Arrays.copyOfRange(all, 0, at);
      byte[] b = Arrays.copyOfRange(all, at, all.length);
      int joined =
          CombinedCrc32.join(
              CombinedCrc32.of(a), CombinedCrc32.of(b), CombinedCrc32.shift(b.length));
      assertThat(joined).as("%d and %d bytes", a.length, b.length).isEqualTo(crc(all));
    }
  }

  @Test
  void of_knownText_isTheKnownCrc() {
    byte[] check = "123456789".getBytes(StandardCharsets.US_ASCII);
    assertThat(CombinedCrc32.of(check)).isEqualTo(0xCBF43926);
    assertThat(CombinedCrc32.of(new byte[0])).isZero();
  }

  @Test
  void shift_ofNoBytes_changesNothing() {
    int crc = 0x12345678;
    assertThat(CombinedCrc32.times(crc, CombinedCrc32.shift(0))).isEqualTo(crc);
    assertThat(CombinedCrc32.join(crc, 0, CombinedCrc32.shift(0))).isEqualTo(crc);
    assertThat(CombinedCrc32.join(0, crc, CombinedCrc32.shift(100))).isEqualTo(crc);
  }

  @Test
  void times_ofTwoShifts_isTheShiftByBoth() {
    for (int run = 0; run < 1_000; run++) {
      long a = random.nextLong() >>> random.nextInt(2, 64);
      long b = random.nextLong() >>> random.nextInt(2, 64);
      assertThat(CombinedCrc32.times(CombinedCrc32.shift(a), CombinedCrc32.shift(b)))
          .as("%d and %d", a, b)
          .isEqualTo(CombinedCrc32.shift(a + b));
    }
  }

  private static int crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
