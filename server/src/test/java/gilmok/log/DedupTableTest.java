package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.storage.Checkpoint;
import gilmok.storage.Disk;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The deduplication table is exact: it holds the newest keys, and nothing else. */
@Tag("unit")
final class DedupTableTest {
  private record Key(long high, long low) {}

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 9, 31, 33, 100, 1023, 1025, 5000})
  void add_anyKeys_knowsTheLastExactly(int capacity) {
    for (Spread spread : Spread.values()) {
      Random random = new Random(capacity);
      DedupTable dedupTable = new DedupTable(capacity);
      LinkedHashSet<Key> model = new LinkedHashSet<>();
      for (int i = 0; i < 20 * capacity + 2000; i++) {
        Key key = spread.key(random, 3 * capacity);
        boolean isNew = model.add(key);
        assertThat(dedupTable.add(key.high(), key.low(), i))
            .as("%s, %d", spread, i)
            .isEqualTo(isNew);
        if (model.size() > capacity) {
          model.removeFirst();
        }
        assertThat(dedupTable.size()).isEqualTo(model.size());
      }
      assertThat(keys(dedupTable)).containsExactlyElementsOf(model);
    }
  }

  /** How the keys are spread over the index. */
  private enum Spread {
    EVEN {
      @Override
      Key key(Random random, int among) {
        long number = random.nextInt(among);
        return new Key(number * 0x9E3779B97F4A7C15L, number);
      }
    },
    ONE_HOME {
      @Override
      Key key(Random random, int among) {
        return new Key(42L << 40, random.nextInt(Math.min(among, 300)));
      }
    },
    SAME_TAG_DIFFERENT_LOWER_BITS {
      @Override
      Key key(Random random, int among) {
        return new Key(7L << 50 | random.nextInt(Math.min(among, 300)), 1);
      }
    },
    NEIGHBOURS_AT_THE_END {
      @Override
      Key key(Random random, int among) {
        long home = -1L - random.nextInt(4);
        return new Key(home << 40, random.nextInt(Math.min(among, 300)));
      }
    },
    ZEROS {
      @Override
      Key key(Random random, int among) {
        return new Key(0, random.nextInt(Math.min(among, 300)));
      }
    };

    abstract Key key(Random random, int among);
  }

  @Test
  void oldestMillis_isAboutWhenTheOldestCame() {
    DedupTable dedupTable = new DedupTable(5000);
    assertThat(dedupTable.oldestMillis(77)).isEqualTo(77);
    for (int i = 0; i < 30_000; i++) {
      dedupTable.add(i * 0x9E3779B97F4A7C15L, i, i);
      int oldest = Math.max(0, i + 1 - 5000);
      assertThat(dedupTable.oldestMillis(0)).isBetween((long) oldest - 1024, (long) oldest);
    }
  }

  @Test
  void copy_whileKeysGiveWay_leavesThoseOut() {
    DedupTable dedupTable = new DedupTable(10);
    for (int i = 0; i < 25; i++) {
      dedupTable.add(i, i, 0);
    }
    long[] piece = new long[8];
    int[] count = new int[1];
    assertThat(dedupTable.copy(0, 25, piece, count)).isEqualTo(19);
    assertThat(count[0]).isEqualTo(4);
    assertThat(piece).containsExactly(15, 15, 16, 16, 17, 17, 18, 18);
    for (int i = 25; i < 32; i++) {
      dedupTable.add(i, i, 0);
    }
    assertThat(dedupTable.copy(19, 25, piece, count)).isEqualTo(25);
    assertThat(count[0]).isEqualTo(3);
    assertThat(piece).startsWith(22, 22, 23, 23, 24, 24);
    for (int i = 32; i < 50; i++) {
      dedupTable.add(i, i, 0);
    }
    dedupTable.copy(24, 25, piece, count);
    assertThat(count[0]).isZero();
  }

  /** The snapshot alone restores the table; a start reads only the keys behind it from the log. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 50, 20_000})
  void saveAndLoad_givesTheSameTable(int capacity) throws Exception {
    Disk disk = new PowerLossDisk(1, PowerLossDisk.Lie.NONE).boot();
    Path folder = Path.of("/snapshots");
    disk.createFolder(folder);
    Checkpoint file = new Checkpoint(disk, folder.resolve("repeats"));
    DedupTable dedupTable = new DedupTable(capacity);
    Random random = new Random(3);
    for (int i = 0; i < 2.5 * capacity; i++) {
      dedupTable.add(random.nextLong(), random.nextLong(), 1000 + i);
    }
    AppendQueue queue = new AppendQueue(LogRig.SMALL, dedupTable, InstantSource.system(), 12, 8000);
    new DedupSnapshot(file).save(queue, () -> 11);
    DedupSnapshot loaded = new DedupSnapshot(file);
    DedupTable again = loaded.load(capacity, 1);
    assertThat(loaded.sequence()).isEqualTo(11);
    assertThat(keys(again)).isEqualTo(keys(dedupTable));
    int smaller = Math.max(1, capacity / 2);
    List<Key> last = keys(dedupTable).subList(dedupTable.size() - smaller, dedupTable.size());
    assertThat(keys(new DedupSnapshot(file).load(smaller, 1))).isEqualTo(last);
  }

  private static List<Key> keys(DedupTable dedupTable) {
    List<Key> keys = new ArrayList<>();
    long[] piece = new long[2 * 100];
    int[] count = new int[1];
    for (long at = 0; at < dedupTable.inserted(); ) {
      at = dedupTable.copy(at, dedupTable.inserted(), piece, count);
      for (int i = 0; i < count[0]; i++) {
        keys.add(new Key(piece[2 * i], piece[2 * i + 1]));
      }
    }
    return keys;
  }
}
