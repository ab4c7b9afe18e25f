package gilmok.positions;

import gilmok.auth.Principal;
import gilmok.geo.Box;
import gilmok.http.ReplyStream;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reader of a stream of positions. It keeps only the sequence up to which it has been sent every
 * position and, for a box, the riders inside it. Each write contains the riders whose position is
 * newer by then, so a slow reader costs no memory and gets only the newest positions.
 *
 * <p>Not thread-safe: made on an event loop, then owned by the stream thread.
 */
final class StreamReader {
  /** The sequence of a reader that knows nothing yet: every position is newer. */
  static final long NOTHING = Long.MIN_VALUE;

  private static final int INDEX_BITS = 10;

  private final ReplyStream reply;
  private final Principal principal;
  private final RiderKey[] keys;
  private final int[] riders;
  private final long[] order;
  private final @Nullable Box box;
  private final BitSet inside = new BitSet();
  private final long intervalNanos;
  private boolean isToRecall;
  private long hiddenTold;
  private long told;
  private long metAtLookUp = -1;
  private long forgetsAtLookUp = -1;
  private long dueNanos;
  private long writtenNanos;
  private long checkedNanos;
  private final long begunNanos;

  /**
   * A reader that is due at once.
   *
   * @param told the sequence up to which it knows every position, or {@link #NOTHING}
   * @param hiddenTold where in the ring of hidden riders it goes on
   */
  StreamReader(
      ReplyStream reply,
      Principal principal,
      StreamFilter filter,
      long intervalNanos,
      long told,
      long hiddenTold,
      long now) {
    this.hiddenTold = hiddenTold;
    this.reply = reply;
    this.principal = principal;
    this.keys = filter.riders().toArray(RiderKey[]::new);
    this.riders = new int[keys.length];
    Arrays.fill(riders, RiderTable.NONE);
    this.order = new long[keys.length];
    this.box = filter.box();
    this.intervalNanos = intervalNanos;
    this.told = told;
    this.isToRecall = told != NOTHING;
    this.begunNanos = now;
    this.dueNanos = now;
    this.writtenNanos = now;
    this.checkedNanos = now;
  }

  ReplyStream reply() {
    return reply;
  }

  Principal principal() {
    return principal;
  }

  long begunNanos() {
    return begunNanos;
  }

  boolean isDue(long now) {
    return now - dueNanos >= 0;
  }

  long told() {
    return told;
  }

  boolean hasHidden(HiddenRing ring) {
    return hiddenTold < ring.end();
  }

  /**
   * Adds to the batch the riders that were hidden since it was told of some. If there were too many
   * to know, it is told everything anew.
   *
   * @return false if it must be told to forget all positions
   */
  boolean tellHidden(SseBatch batch, HiddenRing ring) {
    long end = ring.end();
    List<RiderKey> hidden = ring.from(hiddenTold);
    hiddenTold = end;
    if (hidden == null) {
      told = NOTHING;
      isToRecall = false;
      inside.clear();
      return false;
    }
    for (RiderKey rider : hidden) {
      if (keys.length == 0 || Arrays.asList(keys).contains(rider)) {
        batch.hidden(rider);
      }
    }
    return true;
  }

  /** When it was last written to, in nanoseconds of {@link System#nanoTime}. */
  long writtenNanos() {
    return writtenNanos;
  }

  /** When its key was last checked, in nanoseconds of {@link System#nanoTime}. */
  long checkedNanos() {
    return checkedNanos;
  }

  void checked(long now) {
    checkedNanos = now;
  }

  /**
   * Records a write.
   *
   * @param isCut whether more is ready for it already
   */
  void written(long now, boolean isCut) {
    writtenNanos = now;
    dueNanos = isCut ? now : now + intervalNanos;
  }

  /**
   * Adds to the batch what comes next for this reader.
   *
   * @param through the sequence up to which all positions can be found
   * @return whether there is more
   */
  boolean tell(SseBatch batch, LatestPositions positions, ChangeCursor cursor, long through) {
    if (told >= through) {
      return false;
    }
    if (isToRecall && box != null) {
      recall(box, positions);
    }
    return keys.length == 0
        ? tellOfEveryone(batch, positions, cursor, through)
        : tellOfRiders(batch, positions, through);
  }

  /**
   * Restores which riders were inside the box for a reader that resumes. Those who have not moved
   * since and are inside now were inside then. Those who have moved may have been, so all of them
   * are counted as inside.
   */
  private void recall(Box box, LatestPositions positions) {
    for (int number = 0; number < positions.numbers(); number++) {
      // Read the point before the sequence: if the sequence is still the old one, so was the point.
      boolean isInside = box.has(positions.index().point(number));
      long sequence = positions.sequence(number);
      if (sequence != RiderColumns.FORGOTTEN && (isInside || sequence > told)) {
        inside.set(number);
      }
    }
    isToRecall = false;
  }

  private boolean tellOfEveryone(
      SseBatch batch, LatestPositions positions, ChangeCursor cursor, long through) {
    cursor.begin(told, through);
    while (!batch.isFull() && cursor.next()) {
      tellOf(cursor.rider(), cursor.known(), positions, batch);
    }
    told = cursor.known();
    return cursor.isCut();
  }

  private boolean tellOfRiders(SseBatch batch, LatestPositions positions, long through) {
    int count;
    do {
      lookUp(batch, positions);
      count = 0;
      for (int i = 0; i < riders.length; i++) {
        long sequence = riders[i] < 0 ? RiderColumns.FORGOTTEN : positions.sequence(riders[i]);
        if (sequence > told && sequence <= through) {
          order[count++] = sequence << INDEX_BITS | i;
        }
      }
      // If a number was given to another rider, its sequence may be the other's: not for this
      // reader.
    } while (positions.forgets() != forgetsAtLookUp);
    Arrays.sort(order, 0, count);
    for (int i = 0; i < count; i++) {
      if (batch.isFull()) {
        return true;
      }
      told = order[i] >> INDEX_BITS;
      tellOf(riders[(int) order[i] & ((1 << INDEX_BITS) - 1)], told, positions, batch);
    }
    told = through;
    return false;
  }

  /** Looks up the riders that were not there; all of them, once numbers were given back. */
  private void lookUp(SseBatch batch, LatestPositions positions) {
    long forgets = positions.forgets();
    long met = positions.met();
    if (met != metAtLookUp || forgets != forgetsAtLookUp) {
      for (int i = 0; i < keys.length; i++) {
        if (riders[i] < 0 || forgets != forgetsAtLookUp) {
          riders[i] = batch.find(keys[i]);
        }
      }
      metAtLookUp = met;
      forgetsAtLookUp = forgets;
    }
  }

  private void tellOf(int rider, long sequence, LatestPositions positions, SseBatch batch) {
    if (box == null || box.has(positions.index().point(rider))) {
      if (batch.position(rider, sequence) && box != null) {
        inside.set(rider);
      }
    } else if (inside.get(rider) && batch.left(rider, sequence)) {
      inside.clear(rider);
    }
  }
}
