package gilmok.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A damaged file gives an error that names it, or the rows that were written; nothing else. */
@Tag("unit")
class ParquetDamageTest {
  private static final List<List<@Nullable Object>> ROWS =
      Rows.random(new SplittableRandom(Seeds.first()), 45);

  private static final Path FILE = Path.of("damaged.parquet");

  @TempDir Path folder;
  private int refused;

  @Test
  void everyByteChanged() throws IOException {
    byte[] whole = whole();
    SplittableRandom random = new SplittableRandom(Seeds.first());
    for (int i = 0; i < whole.length; i++) {
      for (int change : new int[] {1, 0x80, 0xff, random.nextInt(1, 256)}) {
        byte[] changed = whole.clone();
        changed[i] ^= (byte) change;
        judge(changed, "byte " + i + " changed by " + change);
      }
    }
    assertThat(refused).as("most changes are seen").isGreaterThan(3 * whole.length);
  }

  @Test
  void cutAtEveryByte() throws IOException {
    byte[] whole = whole();
    for (int i = 0; i < whole.length; i++) {
      judge(Arrays.copyOf(whole, i), "cut at " + i);
      judge(Arrays.copyOfRange(whole, i + 1, whole.length), "the first " + i + " are missing");
    }
    assertThat(refused).isEqualTo(2 * whole.length);
  }

  @Test
  void partsOverwritten() {
    Seeds.each(
        20_000,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          byte[] changed = whole();
          int length = 1 + random.nextInt(64);
          int at = random.nextInt(changed.length - length);
          for (int i = at; i < at + length; i++) {
            changed[i] = (byte) (random.nextInt(4) == 0 ? 0xff : random.nextInt());
          }
          judge(changed, length + " bytes at " + at);
        });
  }

  /** With a footer that says so, huge sizes and counts are believed by nobody. */
  @Test
  void footerWithoutChecksum_everyByteChanged_endsSoon() throws IOException {
    byte[] whole = whole();
    byte[] key = FooterChecksum.KEY.getBytes(StandardCharsets.US_ASCII);
    int at = new String(whole, StandardCharsets.ISO_8859_1).lastIndexOf(FooterChecksum.KEY);
    whole[at + key.length - 1] = '0'; // as of an earlier version, which had none
    for (int i = 0; i < whole.length; i++) {
      for (int change : new int[] {1, 0x7f, 0x80, 0xff}) {
        byte[] changed = whole.clone();
        changed[i] ^= (byte) change;
        Assertions.assertTimeout(
            Duration.ofSeconds(5),
            () -> {
              try {
                assertThat(Rows.read(new BytesDisk(changed), FILE)).hasSizeLessThan(100_000);
              } catch (DamagedParquetException found) {
                assertThat(found).hasMessageContaining(FILE.toString());
              }
            });
      }
    }
  }

  private byte[] whole() throws IOException {
    Path file = folder.resolve("whole.parquet");
    Files.deleteIfExists(file);
    Rows.write(file, ROWS, 20);
    return Files.readAllBytes(file);
  }

  private void judge(byte[] bytes, String what) throws IOException {
    try {
      assertThat(Rows.read(new BytesDisk(bytes), FILE)).as(what).isEqualTo(ROWS);
    } catch (DamagedParquetException found) {
      refused++;
      assertThat(found).as(what).hasMessageContaining(FILE.toString());
    } catch (RuntimeException | Error broken) {
      throw Seeds.failed(what, broken);
    }
  }
}
