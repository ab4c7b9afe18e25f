package gilmok.positions;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * The numbers of riders by the hash of their ids, in open-addressed tables of 4 bytes an entry: the
 * upper 8 bits are bits of the hash, by which most other riders are rejected without looking at
 * their ids; the lower 24 the number plus one. The upper bits of the hash choose one of many
 * segments, each with a table of its own, so that growing never holds its thread for long.
 *
 * <p>One thread changes it; any thread looks up, without waiting. An entry is one int, stored with
 * release after all that is to be found by it, and read with acquire. It never changes its slot: a
 * removed one is marked, and the marks go when the segment is built again, as a new table that is
 * published when it is complete (linear probing with marks: Knuth, The Art of Computer Programming,
 * volume 3, 6.4, algorithm L). So a reader passes every entry that was there when it began and is
 * still there. A reader of a table that was replaced meanwhile does not see later additions.
 */
final class RiderTable {
  /** No rider. */
  static final int NONE = -1;

  private static final int SEGMENT_BITS = 10;
  static final int NUMBER_BITS = 24;
  private static final int NUMBER_MASK = (1 << NUMBER_BITS) - 1;
  static final int NUMBER_MAX = NUMBER_MASK - 2;
  private static final int REMOVED = NUMBER_MASK;
  private static final int[] EMPTY = new int[1];
  private static final int SLOTS_MIN = 8;
  private static final VarHandle ENTRIES = MethodHandles.arrayElementVarHandle(int[].class);

  private final IntUnaryOperator hashOf;
  private final AtomicReferenceArray<int[]> segments =
      new AtomicReferenceArray<>(1 << SEGMENT_BITS);

  /** Of each segment, the slots that are not empty: entries and marks. */
  private final int[] used = new int[1 << SEGMENT_BITS];

  private final int[] live = new int[1 << SEGMENT_BITS];
  private volatile int size;

  /**
   * An empty table.
   *
   * @param hashOf the hash of the id of the rider with a number; for the thread that changes it
   */
  RiderTable(IntUnaryOperator hashOf) {
    this.hashOf = hashOf;
    for (int i = 0; i < segments.length(); i++) {
      segments.setPlain(i, EMPTY);
    }
  }

  int size() {
    return size;
  }

  /** The slots of all segments, 4 bytes each. For the thread that changes it. */
  int slots() {
    int slots = 0;
    for (int i = 0; i < segments.length(); i++) {
      slots += segments.getPlain(i).length;
    }
    return slots;
  }

  /**
   * The number of a rider whose id has this hash; {@link #NONE} if there is none.
   *
   * @param isIt whether the rider with a number is the one that is looked for
   */
  int find(int hash, IntPredicate isIt) {
    int[] slots = segments.getAcquire(segmentOf(hash));
    int slot = home(hash, slots.length);
    while (true) {
      int entry = (int) ENTRIES.getAcquire(slots, slot);
      if (entry == 0) {
        return NONE;
      }
      if ((entry ^ (hash << NUMBER_BITS)) >>> NUMBER_BITS == 0
          && (entry & NUMBER_MASK) != REMOVED
          && isIt.test((entry & NUMBER_MASK) - 1)) {
        return (entry & NUMBER_MASK) - 1;
      }
      slot = slot + 1 == slots.length ? 0 : slot + 1;
    }
  }

  /** Makes room for so many riders in an empty table, so that adding them builds nothing again. */
  void reserve(int riders) {
    // A segment's share differs from the mean by its root: four times that is hardly ever exceeded.
    double share = (double) riders / segments.length();
    int slots = (int) (1.25 * (share + 4 * Math.sqrt(share))) + SLOTS_MIN;
    for (int segment = 0; segment < segments.length(); segment++) {
      if (used[segment] == 0) {
        segments.setRelease(segment, new int[slots]);
      }
    }
  }

  /** Adds a rider that is not there. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  void add(int hash, int number) {
    int segment = segmentOf(hash);
    if (isFull(used[segment] + 1, segments.getPlain(segment).length)) {
      rebuild(segment);
    }
    put(segments.getPlain(segment), hash, number);
    used[segment]++;
    live[segment]++;
    size++;
  }

  /** Removes a rider that is there. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  void remove(int hash, int number) {
    int segment = segmentOf(hash);
    int[] slots = segments.getPlain(segment);
    int slot = home(hash, slots.length);
    while ((slots[slot] & NUMBER_MASK) != number + 1) {
      slot = slot + 1 == slots.length ? 0 : slot + 1;
    }
    ENTRIES.setRelease(slots, slot, REMOVED);
    live[segment]--;
    size--;
  }

  /** At most 85 % of the slots are used. */
  private static boolean isFull(int used, int slots) {
    return 20L * used > 17L * slots;
  }

  private void rebuild(int segment) {
    int[] old = segments.getPlain(segment);
    int[] slots = new int[Math.max(SLOTS_MIN, 7 * (live[segment] + 1) / 4)];
    for (int entry : old) {
      int number = (entry & NUMBER_MASK) - 1;
      if (entry != 0 && (entry & NUMBER_MASK) != REMOVED) {
        put(slots, hashOf.applyAsInt(number), number);
      }
    }
    segments.setRelease(segment, slots);
    used[segment] = live[segment];
  }

  private static void put(int[] slots, int hash, int number) {
    int slot = home(hash, slots.length);
    while (slots[slot] != 0) {
      slot = slot + 1 == slots.length ? 0 : slot + 1;
    }
    ENTRIES.setRelease(slots, slot, (hash << NUMBER_BITS) | (number + 1));
  }

  private static int segmentOf(int hash) {
    return hash >>> (Integer.SIZE - SEGMENT_BITS);
  }

  private static int home(int hash, int slots) {
    return (int) ((((hash << SEGMENT_BITS) & 0xFFFF_FFFFL) * slots) >>> Integer.SIZE);
  }
}
