package gilmok.log;

/**
 * The 128-bit keys of the last {@code capacity} records, exactly: the newest evicts the oldest.
 *
 * <p>A ring holds the keys in the order they came. An open-addressed index with one long per slot
 * finds them: the upper 40 bits are the upper bits of the key, the lower 24 bits the place in the
 * ring plus one. The upper bits also give the slot's home, so deletion can shift neighbours back
 * without reading the ring. A new key costs one cache miss in the index for its lookup and one for
 * the key it evicts. Deletion: Knuth, The Art of Computer Programming, volume 3, algorithm 6.4 R.
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

  /** Adds a key; false when the table has it already. */
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
   * Prefetches the places that adding these keys will touch. One after the other, each would be a
   * cache miss; these loads do not depend on each other, so the processor runs many at once. Called
   * without the lock: a stale read costs a cache miss and harms nothing.
   *
   * @return a value that the caller must keep, so that the compiler does not remove the loads
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

  /** How many keys were ever added; the newest key's number is one less. */
  long inserted() {
    return inserted;
  }

  /** About when the oldest key came, epoch ms; {@code nowMillis} when the table is empty. */
  long oldestMillis(long nowMillis) {
    if (inserted == 0) {
      return nowMillis;
    }
    return times[(int) ((inserted - size()) / TIMES_EVERY % times.length)];
  }

  /**
   * Copies keys by their number.
   *
   * @param from the number of the first key wanted; keys that were evicted are left out
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
