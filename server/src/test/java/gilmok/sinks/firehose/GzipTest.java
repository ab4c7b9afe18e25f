package gilmok.sinks.firehose;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class GzipTest {
  private static byte[] unzipped(byte[] member) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(member))) {
      return in.readAllBytes();
    }
  }

  @Test
  void member_oneAfterTheOther_eachIsItsOwn() throws IOException {
    byte[] text = "one\ntwo\nthree\n".repeat(5000).getBytes(StandardCharsets.UTF_8);
    try (Gzip gzip = new Gzip()) {
      for (int length : new int[] {text.length, 4, 0, 1, 40_000}) {
        assertThat(unzipped(gzip.member(text, length))).isEqualTo(Arrays.copyOf(text, length));
      }
    }
  }

  @Test
  void member_ofWhatCannotBeCompressed_isLittleLonger() throws IOException {
    byte[] noise = new byte[FirehoseLimits.RECORD_BYTES_MAX - Gzip.EXCESS_BYTES_MAX];
    new Random(7).nextBytes(noise);
    try (Gzip gzip = new Gzip()) {
      byte[] member = gzip.member(noise, noise.length);
      assertThat(member.length).isBetween(noise.length, FirehoseLimits.RECORD_BYTES_MAX);
      assertThat(unzipped(member)).isEqualTo(noise);
    }
  }
}
