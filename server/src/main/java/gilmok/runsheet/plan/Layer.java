package gilmok.runsheet.plan;

import java.util.Arrays;

/**
 * A layer of {@link TravelSearch}: the states after one number of stops, each with the cheapest way
 * to it. A hash table with open addressing over flat arrays, which grow up to a bound. Not
 * thread-safe: owned by one search.
 */
final class Layer {
  /** The largest number of states: 20 bytes each, and 8 for the table. */
  static final int STATES_MAX = 1 << 21;

  private static final int STATES_FIRST = 1 << 12;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  long[] keys = new long[STATES_FIRST];
  int[] paid = new int[STATES_FIRST];
  int[] bases = new int[STATES_FIRST];
  int[] parents = new int[STATES_FIRST];
  int size;

  private int[] table = new int[2 * STATES_FIRST];

  void clear() {
    Arrays.fill(table, 0);
    size = 0;
  }

  /** Adds a state, or a cheaper way to it. There must be room. */
  void put(long key, int base, int cost, int parent) {
    if (size == keys.length) {
      grow();
    }
    int mask = table.length - 1;
    int at = (int) ((key * SPREAD) >>> 32) & mask;
    while (true) {
      int index = table[at] - 1;
      if (index < 0) {
        table[at] = ++size;
        keys[size - 1] = key;
        bases[size - 1] = base;
        paid[size - 1] = cost;
        parents[size - 1] = parent;
        return;
      }
      if (keys[index] == key) {
        if (cost < paid[index]) {
          paid[index] = cost;
          parents[index] = parent;
        }
        return;
      }
      at = (at + 1) & mask;
    }
  }

  private void grow() {
    int room = Math.min(2 * keys.length, STATES_MAX);
    keys = Arrays.copyOf(keys, room);
    paid = Arrays.copyOf(paid, room);
    bases = Arrays.copyOf(bases, room);
    parents = Arrays.copyOf(parents, room);
    table = new int[2 * room];
    int mask = table.length - 1;
    for (int index = 0; index < size; index++) {
      int at = (int) ((keys[index] * SPREAD) >>> 32) & mask;
      while (table[at] != 0) {
        at = (at + 1) & mask;
      }
      table[at] = index + 1;
    }
  }
}
