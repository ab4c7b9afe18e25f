package gilmok.compress;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random fragments against the model: a body is its fragments' bytes in a row. */
@Tag("unit")
@Tag("soak")
class ComposedBodyModelTest {
  @Test
  void randomPieces_inEachCoding_areTheirConcatenation() {
    Seeds.each(
        200,
        seed -> {
          Random random = new Random(seed);
          try (SmallFragmentCompressor compressor =
              new SmallFragmentCompressor(1 + random.nextInt(9), 1)) {
            check(random, compressor, "seed " + seed);
          }
        });
  }

  private static void check(
      Random random, SmallFragmentCompressor smallFragmentCompressor, String seed)
      throws DataFormatException {
    ByteArrayOutputStream model = new ByteArrayOutputStream();
    ComposedBody body = ComposedBody.of();
    List<Fragment> pieces = new ArrayList<>();
    int count = random.nextInt(8);
    for (int i = 0; i < count; i++) {
      byte[] plain = some(random);
      model.writeBytes(plain);
      Fragment fragment =
          random.nextBoolean()
              ? Fragment.later(plain, smallFragmentCompressor)
              : Fragment.of(plain, 1 + random.nextInt(9));
      pieces.add(fragment);
      body = body.plus(fragment);
    }
    byte[] expected = model.toByteArray();
    for (ComposedBody each : List.of(body, ComposedBody.of(pieces))) {
      assertThat(each.bytes()).as(seed).isEqualTo(expected.length);
      assertThat(Decoded.together(each.identity())).as(seed).isEqualTo(expected);
      assertThat(Decoded.gzip(each.gzip())).as(seed).isEqualTo(expected);
      assertThat(Decoded.isOneMember(each.gzip())).as(seed).isTrue();
      assertThat(Decoded.zstd(each.zstd())).as(seed).isEqualTo(expected);
      assertThat(Decoded.zstdAtOnce(each.zstd(), expected.length)).as(seed).isEqualTo(expected);
    }
  }

  /** Random bytes: none, noise, one byte repeated, or a text. */
  private static byte[] some(Random random) {
    byte[] bytes = new byte[random.nextInt(1 << random.nextInt(1, 17))];
    switch (random.nextInt(4)) {
      case 0 -> random.nextBytes(bytes);
      case 1 -> Arrays.fill(bytes, (byte) random.nextInt());
      case 2 -> bytes = new byte[random.nextInt(2)];
      default -> bytes = new MadeUpMissions(random.nextLong()).tail(200, bytes.length >> 8);
    }
    return bytes;
  }
}
