package gilmok.pieces;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

class JoinedCrcTest {
  private final Random random = new Random(8);

  @Test
  void join_randomSplits_isTheCrcOfAll() {
    for (int run = 0; run < 2_000; run++) {
      byte[] all = new byte[random.nextInt(1 << random.nextInt(1, 17))];
      random.nextBytes(all);
      int at = random.nextInt(all.length + 1);
      byte[] a = Arrays.copyOfRange(all, 0, at);
      byte[] b = Arrays.copyOfRange(all, at, all.length);
      int joined = JoinedCrc.join(JoinedCrc.of(a), JoinedCrc.of(b), JoinedCrc.shift(b.length));
      assertThat(joined).as("%d and %d bytes", a.length, b.length).isEqualTo(crc(all));
    }
  }

  @Test
  void of_knownText_isTheKnownCrc() {
    byte[] check = "123456789".getBytes(StandardCharsets.US_ASCII);
    assertThat(JoinedCrc.of(check)).isEqualTo(0xCBF43926);
    assertThat(JoinedCrc.of(new byte[0])).isZero();
  }

  @Test
  void shift_ofNoBytes_changesNothing() {
    int crc = 0x12345678;
    assertThat(JoinedCrc.times(crc, JoinedCrc.shift(0))).isEqualTo(crc);
    assertThat(JoinedCrc.join(crc, 0, JoinedCrc.shift(0))).isEqualTo(crc);
    assertThat(JoinedCrc.join(0, crc, JoinedCrc.shift(100))).isEqualTo(crc);
  }

  @Test
  void times_ofTwoShifts_isTheShiftByBoth() {
    for (int run = 0; run < 1_000; run++) {
      long a = random.nextLong() >>> random.nextInt(2, 64);
      long b = random.nextLong() >>> random.nextInt(2, 64);
      assertThat(JoinedCrc.times(JoinedCrc.shift(a), JoinedCrc.shift(b)))
          .as("%d and %d", a, b)
          .isEqualTo(JoinedCrc.shift(a + b));
    }
  }

  private static int crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
