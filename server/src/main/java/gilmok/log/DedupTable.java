package gilmok.log;

/**
 * The 128-bit keys of the last {@code capacity} records, exactly: the oldest gives way to the
 * newest.
 *
 * <p>A ring holds the keys in the order they came; an open-addressed index of one long a slot finds
 * them: its upper 40 bits are the upper bits of the key (they tell the slot's home too, so that
 * deleting can shift neighbours back without looking into the ring), its lower 24 bits the place in
 * the ring plus one. A new key costs one cache miss in the index to be looked up and one for the
 * key that gives way. Deletion: Knuth, The Art of Computer Programming, volume 3, algorithm 6.4 R.
 *
 * <p>Not thread-safe: owned by the log's lock, but for {@link #touch}.
 */
final class DedupTable {
  static final int CAPACITY_MAX = (1 << 24) - 2;

  private static final long PLACE_MASK = (1L << 24) - 1;
  private static final long TAG_MASK = ~PLACE_MASK;
  private static final int TIMES_EVERY = 1024;

  private final int capacity;
  private final long[] ring;
  private final long[] index;
  private final int mask;
  private final int homeShift;
  private final long[] times;
  private long inserted;

  DedupTable(int capacity) {
    this.capacity = capacity;
    ring = new long[2 * capacity];
    int slots = Integer.highestOneBit(Math.max(2, 2 * capacity - 1)) << 1;
    index = new long[slots];
    mask = slots - 1;
    homeShift = 64 - Integer.numberOfTrailingZeros(slots);
    times = new long[capacity / TIMES_EVERY + 2];
  }

  /** Adds a key; false when it is among the last ones already. */
  boolean add(long high, long low, long nowMillis) {
    int slot = home(high);
    long tag = high & TAG_MASK;
    for (long entry = index[slot]; entry != 0; entry = index[slot]) {
      if ((entry & TAG_MASK) == tag && holds(place(entry), high, low)) {
        return false;
      }
      slot = (slot + 1) & mask;
    }
    int place = (int) (inserted % capacity);
    if (inserted >= capacity) {
      remove(ring[2 * place], place);
      slot = freeSlot(high);
    }
    index[slot] = tag | (place + 1);
    ring[2 * place] = high;
    ring[2 * place + 1] = low;
    if (inserted % TIMES_EVERY == 0) {
      times[(int) (inserted / TIMES_EVERY % times.length)] = nowMillis;
    }
    inserted++;
    return true;
  }

  /**
   * Looks at the places that adding these keys will touch, and nothing else: one after the other
   * each would be a cache miss, but as none of these loads waits for another, the processor has
   * many of them under way at once. Called without the lock, so what it sees may be stale, which
   * costs a miss and harms nothing.
   *
   * @return something to keep, so that the loads are not left out
   */
  long touch(AppendBatch batch) {
    long seen = 0;
    long oldest = Math.max(0, inserted - capacity);
    int place = (int) (oldest % capacity);
    boolean full = inserted >= capacity;
    for (int i = 0; i < batch.count(); i++) {
      seen += index[home(batch.high(i))];
      if (full) {
        seen += index[home(ring[2 * place])];
        place = place + 1 == capacity ? 0 : place + 1;
      }
    }
    return seen;
  }

  int capacity() {
    return capacity;
  }

  int size() {
    return (int) Math.min(inserted, capacity);
  }

  /** How many keys were ever added; the newest has this number less one. */
  long inserted() {
    return inserted;
  }

  /** About when the oldest key came, epoch ms; {@code nowMillis} when there is none. */
  long oldestMillis(long nowMillis) {
    if (inserted == 0) {
      return nowMillis;
    }
    return times[(int) ((inserted - size()) / TIMES_EVERY % times.length)];
  }

  /**
   * Copies keys by their number.
   *
   * @param from the number of the first key wanted; those that gave way are left out
   * @param to the number after the last one wanted
   * @return the number after the last one copied
   */
  long copy(long from, long to, long[] target, int[] copied) {
    long at = Math.max(from, inserted - size());
    int count = 0;
    while (at < to && count < target.length / 2) {
      int place = (int) (at % capacity);
      target[2 * count] = ring[2 * place];
      target[2 * count + 1] = ring[2 * place + 1];
      at++;
      count++;
    }
    copied[0] = count;
    return at;
  }

  private int home(long high) {
    return (int) (high >>> homeShift);
  }

  private static int place(long entry) {
    return (int) (entry & PLACE_MASK) - 1;
  }

  private boolean holds(int place, long high, long low) {
    return ring[2 * place] == high && ring[2 * place + 1] == low;
  }

  private int freeSlot(long high) {
    int slot = home(high);
    while (index[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void remove(long high, int place) {
    int hole = home(high);
    while (place(index[hole]) != place) {
      hole = (hole + 1) & mask;
    }
    int slot = hole;
    while (true) {
      slot = (slot + 1) & mask;
      long entry = index[slot];
      if (entry == 0) {
        break;
      }
      // An entry may move back to the hole only if its home does not lie between hole and slot.
      if (((slot - home(entry)) & mask) >= ((slot - hole) & mask)) {
        index[hole] = entry;
        hole = slot;
      }
    }
    index[hole] = 0;
  }
}
