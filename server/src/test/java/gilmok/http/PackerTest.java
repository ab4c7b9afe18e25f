package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class PackerTest {
  @Test
  void pack_bodiesOfAllLengthsAndLevelsByTurns_unpackToTheSame() throws Exception {
    Random random = new Random(7);
    try (Packer packer = new Packer()) {
      for (int i = 0; i < 2_000; i++) {
        Coding coding = random.nextBoolean() ? Coding.GZIP : Coding.ZSTD;
        byte[] plain = Texts.bytes(100 + random.nextInt(1 << random.nextInt(1, 20)));
        byte[] packed = packer.pack(coding, 1 + random.nextInt(9), plain);
        assertThat(Texts.unpacked(coding.label(), Objects.requireNonNull(packed))).isEqualTo(plain);
        assertThat(packed.length).isLessThan(plain.length);
      }
    }
  }

  @Test
  void pack_whatDoesNotGetSmaller_isLeft() {
    try (Packer packer = new Packer()) {
      for (Coding coding : List.of(Coding.GZIP, Coding.ZSTD)) {
        for (int length : new int[] {0, 1, 17, 18, 19, 20, 30, 1000, 100_000, 1 << 20}) {
          assertThat(packer.pack(coding, 1, Texts.noise(length))).as("%s", length).isNull();
        }
        assertThat(packer.pack(coding, 1, Texts.bytes(2000))).isNotNull();
      }
    }
  }

  @Test
  void pack_zstd_saysHowLongItIs() {
    try (Packer packer = new Packer()) {
      byte[] packed = packer.pack(Coding.ZSTD, 1, Texts.bytes(5000));
      assertThat(Zstd.getFrameContentSize(Objects.requireNonNull(packed))).isEqualTo(5000);
    }
  }

  @Test
  void packers_areLentUpToTheBound_andFreedAtTheEnd() {
    Packers packers = new Packers(3);
    List<Packer> lent = new ArrayList<>();
    for (Packer one = packers.take(); one != null; one = packers.take()) {
      lent.add(one);
    }
    assertThat(lent).hasSize(3);
    packers.giveBack(lent.removeFirst());
    assertThat(packers.take()).isNotNull().satisfies(lent::add);
    assertThat(packers.made()).isEqualTo(3);

    packers.giveBack(lent.removeFirst());
    packers.close();
    assertThat(packers.made()).isEqualTo(2);
    assertThat(packers.take()).isNull();
    lent.forEach(packers::giveBack);
    assertThat(packers.made()).isZero();
  }
}
