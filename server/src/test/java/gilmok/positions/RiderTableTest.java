package gilmok.positions;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The table of riders against a map, with hashes that a test chooses: spread well, all in one
 * segment, all the same. An id here is an int, the rider's number, unless a test says otherwise.
 */
@Tag("unit")
@Tag("soak")
final class RiderTableTest {
  private static final int RIDERS = 3000;

  private enum Hashes implements IntUnaryOperator {
    SPREAD {
      @Override
      public int applyAsInt(int id) {
        return id * 0x9E3779B9;
      }
    },
    ONE_SEGMENT {
      @Override
      public int applyAsInt(int id) {
        return (5 << 22) | ((id * 0x9E3779B9) >>> 10);
      }
    },
    ONE_HOME_OTHER_TAGS {
      @Override
      public int applyAsInt(int id) {
        return (7 << 22) | (id & 0xff);
      }
    },
    LAST_HOME {
      @Override
      public int applyAsInt(int id) {
        return -1 - (id & 0x1ff);
      }
    },
    ALL_THE_SAME {
      @Override
      public int applyAsInt(int id) {
        return 42;
      }
    }
  }

  @Test
  void anyChanges_findsWhatTheModelHas() {
    Seeds.each(40, RiderTableTest::compare);
  }

  private static void compare(long seed) {
    Random random = new Random(seed);
    Hashes hashes = Hashes.values()[(int) (seed % Hashes.values().length)];
    int ids = hashes == Hashes.SPREAD ? RIDERS : RIDERS / 10;
    int[] idOf = new int[ids];
    RiderTable table = new RiderTable(number -> hashes.applyAsInt(idOf[number]));
    Map<Integer, Integer> numbers = new HashMap<>();
    boolean[] isTaken = new boolean[ids];
    for (int i = 0; i < 20 * ids; i++) {
      int id = random.nextInt(ids);
      Integer known = numbers.get(id);
      if (known == null) {
        int number = free(isTaken, random);
        isTaken[number] = true;
        idOf[number] = id;
        table.add(hashes.applyAsInt(id), number);
        numbers.put(id, number);
      } else if (random.nextInt(1 + 6 * (i / ids % 2)) == 0) {
        table.remove(hashes.applyAsInt(id), known);
        numbers.remove(id);
        isTaken[known] = false;
      }
      int other = random.nextInt(ids);
      int found = table.find(hashes.applyAsInt(other), number -> idOf[number] == other);
      assertThat(found).isEqualTo(numbers.getOrDefault(other, RiderTable.NONE));
      assertThat(table.size()).isEqualTo(numbers.size());
    }
    assertThat(table.slots()).isLessThan(2 * Math.max(ids, 1 << 13));
  }

  private static int free(boolean[] isTaken, Random random) {
    int number = random.nextInt(isTaken.length);
    while (isTaken[number]) {
      number = (number + 1) % isTaken.length;
    }
    return number;
  }

  /** Those who stay are found at all times, while others come and go and the table grows. */
  @Test
  void find_whileTheTableGrowsAndOthersLeave_missesNobodyWhoStays() throws Exception {
    int staying = 500;
    for (Hashes hashes : new Hashes[] {Hashes.SPREAD, Hashes.ONE_SEGMENT, Hashes.LAST_HOME}) {
      RiderTable table = new RiderTable(hashes);
      for (int i = 0; i < staying; i++) {
        table.add(hashes.applyAsInt(i), i);
      }
      AtomicBoolean isOver = new AtomicBoolean();
      AtomicReference<@Nullable String> missed = new AtomicReference<>();
      Thread reader =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; !isOver.get() && missed.get() == null; i++) {
                      int id = i % staying;
                      if (table.find(hashes.applyAsInt(id), number -> number == id) != id) {
                        missed.set(hashes + ": " + id);
                      }
                    }
                  });
      Random random = new Random(3);
      int most = 20_000;
      boolean[] isThere = new boolean[most];
      for (int i = 0; i < 100_000; i++) {
        int id = random.nextInt(staying, Math.min(most, staying + 1 + i / 4));
        if (isThere[id]) {
          table.remove(hashes.applyAsInt(id), id);
        } else {
          table.add(hashes.applyAsInt(id), id);
        }
        isThere[id] = !isThere[id];
      }
      isOver.set(true);
      reader.join();
      assertThat(missed.get()).isNull();
    }
  }

  /** A rider costs at most 8 bytes here, however many there are. */
  @Test
  void slots_forManyRiders_areAtMostTwiceAsMany() {
    RiderTable table = new RiderTable(Hashes.SPREAD);
    for (int number = 0; number < 400_000; number++) {
      table.add(Hashes.SPREAD.applyAsInt(number), number);
      if (number > 20_000 && number % 10_000 == 0) {
        assertThat(table.slots()).isBetween(number, 2 * number);
      }
    }
  }
}
