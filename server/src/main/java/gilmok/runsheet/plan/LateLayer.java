package gilmok.runsheet.plan;

import java.util.Arrays;

/**
 * A layer of {@link LateSearch}: the states after one number of stops, each with its non-dominated
 * ways: for none of them is another way at least as early, as little late and as cheap. A hash
 * table with open addressing over flat arrays, which grow up to a bound; the ways to one state are
 * chained. Not thread-safe: owned by one search.
 */
final class LateLayer {
  /** The largest number of ways: 40 bytes each, and 8 for the table. */
  static final int LABELS_MAX = 1 << 20;

  private static final int LABELS_FIRST = 1 << 12;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  long[] keys = new long[LABELS_FIRST];

  /** The time when the last stop is left. */
  long[] times = new long[LABELS_FIRST];

  long[] lates = new long[LABELS_FIRST];
  long[] travels = new long[LABELS_FIRST];
  int[] parents = new int[LABELS_FIRST];
  private int[] nexts = new int[LABELS_FIRST];
  int size;

  private int[] table = new int[2 * LABELS_FIRST];

  void clear() {
    Arrays.fill(table, 0);
    size = 0;
  }

  /**
   * Adds a way to a state, unless the state has one that is at least as good. There must be room.
   */
  void put(long key, long time, long late, long travel, int parent) {
    if (size == keys.length) {
      grow();
    }
    int slot = slot(key);
    int free = -1;
    for (int index = table[slot] - 1; index >= 0; index = nexts[index]) {
      if (times[index] <= time && lates[index] <= late && travels[index] <= travel) {
        return;
      }
      if (time <= times[index] && late <= lates[index] && travel <= travels[index]) {
        if (free < 0) {
          free = index;
        } else {
          // Marks a dominated way as dead.
          times[index] = Long.MAX_VALUE;
          lates[index] = Long.MAX_VALUE;
          travels[index] = Long.MAX_VALUE;
        }
      }
    }
    if (free < 0) {
      free = size++;
      nexts[free] = table[slot] - 1;
      table[slot] = free + 1;
      keys[free] = key;
    }
    times[free] = time;
    lates[free] = late;
    travels[free] = travel;
    parents[free] = parent;
  }

  boolean isDead(int index) {
    return lates[index] == Long.MAX_VALUE;
  }

  /** The slot where the chain of a key begins or would begin. */
  private int slot(long key) {
    int mask = table.length - 1;
    int at = (int) ((key * SPREAD) >>> 32) & mask;
    while (table[at] != 0 && keys[table[at] - 1] != key) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private void grow() {
    int room = 2 * keys.length;
    keys = Arrays.copyOf(keys, room);
    times = Arrays.copyOf(times, room);
    lates = Arrays.copyOf(lates, room);
    travels = Arrays.copyOf(travels, room);
    parents = Arrays.copyOf(parents, room);
    nexts = Arrays.copyOf(nexts, room);
    table = new int[2 * room];
    for (int index = 0; index < size; index++) {
      int slot = slot(keys[index]);
      nexts[index] = table[slot] - 1;
      table[slot] = index + 1;
    }
  }
}
