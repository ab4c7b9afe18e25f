package gilmok.compress;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import gilmok.http.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
final class BodyCompressorTest {
  @Test
  void pack_bodiesOfAllLengthsAndLevelsByTurns_unpackToTheSame() throws Exception {
    Random random = new Random(7);
    try (BodyCompressor bodyCompressor = new BodyCompressor()) {
      for (int i = 0; i < 2_000; i++) {
        ContentCoding coding = random.nextBoolean() ? ContentCoding.GZIP : ContentCoding.ZSTD;
        byte[] plain = Texts.bytes(100 + random.nextInt(1 << random.nextInt(1, 20)));
        byte[] packed = bodyCompressor.pack(coding, 1 + random.nextInt(9), plain);
        assertThat(Texts.unpacked(coding.label(), Objects.requireNonNull(packed))).isEqualTo(plain);
        assertThat(packed.length).isLessThan(plain.length);
      }
    }
  }

  @Test
  void pack_whatDoesNotGetSmaller_isLeft() {
    try (BodyCompressor bodyCompressor = new BodyCompressor()) {
      for (ContentCoding coding : List.of(ContentCoding.GZIP, ContentCoding.ZSTD)) {
        for (int length : new int[] {0, 1, 17, 18, 19, 20, 30, 1000, 100_000, 1 << 20}) {
          assertThat(bodyCompressor.pack(coding, 1, Texts.noise(length))).as("%s", length).isNull();
        }
        assertThat(bodyCompressor.pack(coding, 1, Texts.bytes(2000))).isNotNull();
      }
    }
  }

  @Test
  void pack_zstd_saysHowLongItIs() {
    try (BodyCompressor bodyCompressor = new BodyCompressor()) {
      byte[] packed = bodyCompressor.pack(ContentCoding.ZSTD, 1, Texts.bytes(5000));
      assertThat(Zstd.getFrameContentSize(Objects.requireNonNull(packed))).isEqualTo(5000);
    }
  }

  @Test
  void packers_areLentUpToTheBound_andFreedAtTheEnd() {
    BodyCompressors bodyCompressors = new BodyCompressors(3);
    List<BodyCompressor> lent = new ArrayList<>();
    for (BodyCompressor one = bodyCompressors.take(); one != null; one = bodyCompressors.take()) {
      lent.add(one);
    }
    assertThat(lent).hasSize(3);
    bodyCompressors.giveBack(lent.removeFirst());
    assertThat(bodyCompressors.take()).isNotNull().satisfies(lent::add);
    assertThat(bodyCompressors.made()).isEqualTo(3);

    bodyCompressors.giveBack(lent.removeFirst());
    bodyCompressors.close();
    assertThat(bodyCompressors.made()).isEqualTo(2);
    assertThat(bodyCompressors.take()).isNull();
    lent.forEach(bodyCompressors::giveBack);
    assertThat(bodyCompressors.made()).isZero();
  }
}
