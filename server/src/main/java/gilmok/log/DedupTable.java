package gilmok.log;

/**
 * The 128-bit keys of the last {@code capacity} records, exactly: the newest evicts the oldest.
 *
 * <p>A ring holds the keys in the order they came; it takes memory as they come, 16 bytes a key. An
 * open-addressed index of about two slots a key finds them. A slot is one int: in its lower bits
 * the place in the ring plus one; above them some bits of the key, the tag; above those how far the
 * slot is from the key's home. Another key can be taken for a wanted one only if it has the same
 * home and the same tag, so hardly any look-up reads the ring in vain; and deletion shifts
 * neighbours back without reading the ring, but for the few that are farther from home than the
 * slot can say (the distance in the slot: P. Celis, Robin Hood Hashing, 1986). A new key costs one
 * cache miss in the index for its lookup and one for the key it evicts. Deletion: Knuth, The Art of
 * Computer Programming, volume 3, algorithm 6.4 R.
 *
 * <p>Not thread-safe: owned by the log's lock, but for {@link #touch}.
 */
final class DedupTable {
  static final int CAPACITY_MAX = (1 << 24) - 2;

  private static final int TIMES_EVERY = 1024;
  private static final int PAGE_BITS = 13;
  private static final int PAGE = 1 << PAGE_BITS;
  private static final int DISTANCE_BITS_MAX = 8;

  private final int capacity;
  private final long[][] ring;
  private final int[] index;
  private final int mask;
  private final int homeShift;

  /** Where the distance begins in a slot. */
  private final int distanceShift;

  private final int placeBits;
  private final int tagShift;
  private final int tagMask;
  private final int placeMask;
  private final int distanceMax;
  private final long[] times;
  private long inserted;

  DedupTable(int capacity) {
    this.capacity = capacity;
    ring = new long[((capacity - 1) >>> PAGE_BITS) + 1][];
    int slots = Integer.highestOneBit(Math.max(2, 2 * capacity - 1)) << 1;
    index = new int[slots];
    mask = slots - 1;
    homeShift = 64 - Integer.numberOfTrailingZeros(slots);
    placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(capacity);
    int distanceBits = Math.min(DISTANCE_BITS_MAX, (Integer.SIZE - placeBits) / 2);
    distanceShift = Integer.SIZE - distanceBits;
    tagShift = homeShift - (distanceShift - placeBits);
    placeMask = (1 << placeBits) - 1;
    tagMask = (int) ((1L << distanceShift) - 1) & ~placeMask;
    distanceMax = (1 << distanceBits) - 1;
    times = new long[capacity / TIMES_EVERY + 2];
  }

  /** Adds a key; false when the table has it already. */
  boolean add(long high, long low, long nowMillis) {
    int slot = home(high);
    int tag = tag(high);
    int distance = 0;
    for (int entry = index[slot]; entry != 0; entry = index[slot]) {
      if ((entry & ~placeMask) == slotOf(distance, tag) && holds(place(entry), high, low)) {
        return false;
      }
      slot = (slot + 1) & mask;
      distance++;
    }
    int place = (int) (inserted % capacity);
    if (inserted >= capacity) {
      remove(high(place), place);
      slot = home(high);
      distance = 0;
      while (index[slot] != 0) {
        slot = (slot + 1) & mask;
        distance++;
      }
    }
    put(place, high, low); // first: without memory for its page, nothing has changed
    index[slot] = slotOf(distance, tag) | (place + 1);
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
      long[] page = ring[place >>> PAGE_BITS];
      if (full && page != null) {
        seen += index[home(page[2 * (place & (PAGE - 1))])];
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
      target[2 * count] = high(place);
      target[2 * count + 1] = low(place);
      at++;
      count++;
    }
    copied[0] = count;
    return at;
  }

  private int home(long high) {
    return (int) (high >>> homeShift);
  }

  /** The tag of a key, where a slot has it: the bits of the key below those that give its home. */
  private int tag(long high) {
    return ((int) (high >>> tagShift) << placeBits) & tagMask;
  }

  private int slotOf(int distance, int tag) {
    return (Math.min(distance, distanceMax) << distanceShift) | tag;
  }

  private int place(int entry) {
    return (entry & placeMask) - 1;
  }

  private long high(int place) {
    return ring[place >>> PAGE_BITS][2 * (place & (PAGE - 1))];
  }

  private long low(int place) {
    return ring[place >>> PAGE_BITS][2 * (place & (PAGE - 1)) + 1];
  }

  private void put(int place, long high, long low) {
    long[] page = ring[place >>> PAGE_BITS];
    if (page == null) {
      page = new long[2 * PAGE];
      ring[place >>> PAGE_BITS] = page;
    }
    page[2 * (place & (PAGE - 1))] = high;
    page[2 * (place & (PAGE - 1)) + 1] = low;
  }

  private boolean holds(int place, long high, long low) {
    return high(place) == high && low(place) == low;
  }

  private void remove(long high, int place) {
    int hole = home(high);
    while (place(index[hole]) != place) {
      hole = (hole + 1) & mask;
    }
    int slot = hole;
    while (true) {
      slot = (slot + 1) & mask;
      int entry = index[slot];
      if (entry == 0) {
        break;
      }
      int distance = entry >>> distanceShift;
      if (distance == distanceMax) {
        distance = (slot - home(high(place(entry)))) & mask;
      }
      // An entry may move back to the hole only if its home does not lie between hole and slot.
      int back = (slot - hole) & mask;
      if (distance >= back) {
        index[hole] = slotOf(distance - back, entry & tagMask) | (entry & placeMask);
        hole = slot;
      }
    }
    index[hole] = 0;
  }
}
