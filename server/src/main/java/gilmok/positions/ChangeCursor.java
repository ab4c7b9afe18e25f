package gilmok.positions;

import org.jspecify.annotations.Nullable;

/**
 * Iterates over the riders whose latest position is newer than a given sequence, in the order of
 * the sequences. It reads the {@link ChangeRing} while the ring reaches back far enough; otherwise
 * it reads a {@link PositionsSnapshot}, and takes a new one when the old one is too old for the
 * reader.
 *
 * <p>Not thread-safe: owned by the stream thread.
 */
final class ChangeCursor {
  private static final int EXAMINED_MAX = 1 << 16;

  private final LatestPositions positions;
  private final ChangeRing changes;
  private @Nullable PositionsSnapshot snapshot;
  private boolean byRoll;
  private int examined;
  private long index;
  private long end;
  private long through;
  private long wanted;
  private long known;
  private int rider = RiderTable.NONE;

  ChangeCursor(LatestPositions positions) {
    this.positions = positions;
    this.changes = positions.changes();
  }

  /**
   * Starts a new iteration.
   *
   * @param told the sequence up to which the reader knows every position
   * @param through the last sequence to visit
   */
  void begin(long told, long through) {
    this.known = told;
    this.through = through;
    this.wanted = through;
    examined = 0;
    byRoll = changes.since() > told;
    if (byRoll) {
      PositionsSnapshot present = snapshot;
      if (present == null || present.through() <= told) {
        present = PositionsSnapshot.of(positions, through);
        snapshot = present;
      }
      this.through = present.through();
      index = present.after(told);
      end = present.size();
    } else {
      index = changes.after(told);
      end = changes.end();
    }
  }

  /**
   * Moves to the next rider. A rider that has moved since its entry was made is skipped here, as
   * its newer entry comes later.
   *
   * @return false at the end, when {@code EXAMINED_MAX} entries were examined, and when the ring
   *     was overwritten meanwhile; {@link #known} then says how far it came
   */
  boolean next() {
    while (examined++ < EXAMINED_MAX) {
      if (index >= end) {
        return end();
      }
      PositionsSnapshot present = snapshot;
      long sequence;
      int changed;
      if (byRoll && present != null) {
        sequence = present.sequence((int) index);
        changed = present.rider((int) index);
      } else {
        sequence = changes.sequence(index);
        changed = changes.rider(index);
        if (changes.since() > known) {
          return false;
        }
        if (sequence > through) {
          return end();
        }
      }
      index++;
      known = sequence;
      if (positions.sequence(changed) == sequence) {
        rider = changed;
        return true;
      }
    }
    return false;
  }

  private boolean end() {
    known = Math.max(known, through);
    return false;
  }

  /**
   * The number of the current rider, whose position had the sequence {@link #known}; {@link
   * RiderTable#NONE} before the first call of {@link #next}.
   */
  int rider() {
    return rider;
  }

  /** The sequence up to which every change has been visited. */
  long known() {
    return known;
  }

  /** Whether changes above {@link #known} are left to visit. */
  boolean isCut() {
    return known < wanted;
  }

  /** Releases the snapshot. */
  void rest() {
    snapshot = null;
  }
}
