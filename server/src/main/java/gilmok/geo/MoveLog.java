package gilmok.geo;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The last spots that changed their cell, or their slot in it, by the number of the move. A search
 * may have missed a spot, or met it twice, only if it is among the moves that had begun before the
 * search ended and were not done before it began.
 */
final class MoveLog {
  static final int KEPT = 4096;

  private final AtomicIntegerArray spots = new AtomicIntegerArray(KEPT);
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong done = new AtomicLong();

  void begin(int spot) {
    long number = begun.getPlain();
    spots.setRelease(index(number), spot);
    begun.setRelease(number + 1);
  }

  void end() {
    done.setRelease(begun.getPlain());
  }

  long begun() {
    return begun.getAcquire();
  }

  long done() {
    return done.getAcquire();
  }

  int get(long number) {
    return spots.getAcquire(index(number));
  }

  /** Whether all moves from this number on are still kept, and so were kept when they were read. */
  boolean keeps(long number) {
    return begun() < number + KEPT;
  }

  /** Whether the spot is among the moves from this number on; true if that is no longer known. */
  boolean mayHave(int spot, long from) {
    long to = begun();
    if (to == from) {
      return false;
    }
    for (long number = from; number < to && to - from < KEPT; number++) {
      if (get(number) == spot) {
        return true;
      }
    }
    return !keeps(from);
  }

  private static int index(long number) {
    return (int) number & (KEPT - 1);
  }
}
