package gilmok.positions;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events in pages stay whole while others come, grow, shrink and go, and leave little unused. */
@Tag("unit")
@Tag("soak")
final class EventPagesTest {
  private static final int EVENTS = 30_000;

  @Test
  void anyChanges_keepEachEventWhole_andLittleIsUnused() {
    Seeds.each(20, seed -> new Model(seed).run(), 1);
  }

  private static final class Model {
    private final Random random;
    private final Map<Integer, byte[]> events = new HashMap<>();
    private final Map<Integer, Integer> places = new HashMap<>();
    private final Map<Integer, Integer> owners = new HashMap<>();
    private final EventPages pages = new EventPages(this::move);
    private int moved;

    Model(long seed) {
      random = new Random(seed);
    }

    void run() {
      for (int round = 0; round < 6; round++) {
        int lengthMax = 1 << random.nextInt(5, 9);
        boolean areLeaving = random.nextInt(4) == 0;
        for (int i = 0; i < EVENTS; i++) {
          int key = random.nextInt(EVENTS);
          byte[] event = new byte[16 + random.nextInt(lengthMax)];
          if (random.nextInt(20_000) == 0) {
            event = new byte[300_000]; // larger than a page
          }
          random.nextBytes(event);
          if (areLeaving && random.nextInt(4) > 0) {
            remove(key);
          } else {
            put(key, event);
          }
        }
        check();
      }
      assertThat(moved).isPositive();
    }

    private void put(int key, byte[] event) {
      Integer place = places.get(key);
      if (place != null && pages.fits(place, event.length)) {
        pages.overwrite(place, event, 0, event.length);
      } else {
        int added = pages.add(event, 0, event.length, 4);
        remove(key);
        assertThat(owners.put(added, key)).isNull();
        places.put(key, added);
      }
      events.put(key, event);
    }

    private void remove(int key) {
      Integer place = places.remove(key);
      if (place != null) {
        owners.remove(place);
        pages.free(place);
        events.remove(key);
      }
    }

    private void move(int place, byte[] page, int offset, int length) {
      Integer key = owners.get(place);
      if (key != null) {
        int added = pages.add(page, offset, length, 0);
        owners.remove(place);
        assertThat(owners.put(added, key)).isNull();
        places.put(key, added);
        pages.free(place);
        moved++;
      }
    }

    private void check() {
      long used = 0;
      PositionCopy copy = new PositionCopy();
      for (Map.Entry<Integer, byte[]> entry : events.entrySet()) {
        int place = places.getOrDefault(entry.getKey(), -1);
        assertThat(copy.attempt(pages.pageInUse(place), EventPages.offset(place))).isTrue();
        assertThat(Arrays.equals(copy.event(), entry.getValue())).isTrue();
        used += entry.getValue().length;
      }
      // Those that shrank leave up to 63 bytes in each block.
      assertThat(pages.bytes()).isLessThan(used * 3 / 2 + 64L * events.size() + (4 << 20));
    }
  }

  /** Events of one kind cost five and a half bytes each besides their own. */
  @Test
  void bytes_ofEventsThatOnlyCome_areHardlyMoreThanTheirOwn() {
    EventPages pages = new EventPages((place, page, offset, length) -> {});
    byte[] event = new byte[64];
    long own = 0;
    for (int i = 0; i < 400_000; i++) {
      int length = 40 + i % 8;
      pages.add(event, 0, length, 0);
      own += length;
    }
    assertThat(pages.bytes()).isLessThan(own + 6L * 400_000 + (1 << 18));
  }
}
