package gilmok.positions;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A ring buffer of the latest changes of positions, in the order of their sequences; a rider has
 * one entry for each move. A reader brings the sequence up to which it knows every change; {@link
 * #since} says whether the ring still reaches back to it.
 *
 * <p>One thread adds and never waits; any thread reads. An entry is overwritten only after {@link
 * #since} has been raised to its sequence, and both parts of an entry are written with release and
 * read with acquire. So a reader that has read an entry, and then finds {@code since} no higher
 * than the sequence it knew before, has read a whole entry and has missed none before it.
 */
final class ChangeRing {
  private final AtomicLongArray sequences;
  private final AtomicIntegerArray riders;
  private final int size;
  private volatile long written;
  private volatile long since;

  /**
   * An empty ring.
   *
   * @param size how many changes are kept: a power of two
   */
  ChangeRing(int size) {
    this.size = size;
    sequences = new AtomicLongArray(size);
    riders = new AtomicIntegerArray(size);
  }

  /** Removes all entries. Later changes must have sequences above the given one. */
  void restart(long sequence) {
    written = 0;
    since = sequence;
  }

  void add(long sequence, int rider) {
    long index = written;
    int slot = slot(index);
    if (index >= size) {
      since = sequences.getPlain(slot);
    }
    sequences.setRelease(slot, sequence);
    riders.setRelease(slot, rider);
    written = index + 1;
  }

  /** The lowest sequence a reader may know: every change above it is in the ring. */
  long since() {
    return since;
  }

  /** The index after the newest entry. */
  long end() {
    return written;
  }

  long sequence(long index) {
    return sequences.getAcquire(slot(index));
  }

  /** The rider's number. */
  int rider(long index) {
    return riders.getAcquire(slot(index));
  }

  /** The index of the first entry above a sequence, or {@link #end} if there is none. */
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
