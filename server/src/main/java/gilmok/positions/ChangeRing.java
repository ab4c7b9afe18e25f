package gilmok.positions;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The latest changes of positions, in the order of their sequences: a ring, in which a rider stands
 * as often as it moved. Readers come with the sequence up to which they know; where the ring no
 * longer reaches back to it, {@link #since} says so.
 *
 * <p>One thread adds, without ever waiting; any thread reads. An entry is overwritten only after
 * {@link #since} has been raised to its sequence, and both parts of an entry are written with
 * release and read with acquire. So whoever has read an entry and then finds {@code since} not
 * above what it knew before has read it whole, and has missed none before it.
 */
final class ChangeRing {
  private final AtomicLongArray sequences;
  private final AtomicReferenceArray<LatestPosition> riders;
  private final int size;
  private volatile long written;
  private volatile long since;

  /**
   * None yet.
   *
   * @param size how many are kept: a power of two
   */
  ChangeRing(int size) {
    this.size = size;
    sequences = new AtomicLongArray(size);
    riders = new AtomicReferenceArray<>(size);
  }

  /** Forgets all; what comes from now on has sequences above that one. */
  void restart(long sequence) {
    written = 0;
    since = sequence;
  }

  void add(long sequence, LatestPosition latest) {
    long index = written;
    int slot = slot(index);
    if (index >= size) {
      since = sequences.getPlain(slot);
    }
    sequences.setRelease(slot, sequence);
    riders.setRelease(slot, latest);
    written = index + 1;
  }

  /** Every change above this sequence is here. */
  long since() {
    return since;
  }

  /** Where entries end for now. */
  long end() {
    return written;
  }

  long sequence(long index) {
    return sequences.getAcquire(slot(index));
  }

  LatestPosition rider(long index) {
    return riders.getAcquire(slot(index));
  }

  /** The first entry above that sequence; the end if there is none. */
  long after(long sequence) {
    long high = written;
    long low = Math.max(0, high - size);
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (sequence(middle) <= sequence) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int slot(long index) {
    return (int) index & (size - 1);
  }
}
