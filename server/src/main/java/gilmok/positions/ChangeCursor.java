package gilmok.positions;

import org.jspecify.annotations.Nullable;

/**
 * Goes through the riders whose latest is newer than a sequence, in the order of their sequences:
 * among the {@link ChangeRing} where these reach back far enough, else in a {@link
 * PositionsSnapshot}, which is called anew when the last one is of no use any more.
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
  private @Nullable LatestPosition latest;

  ChangeCursor(LatestPositions positions) {
    this.positions = positions;
    this.changes = positions.changes();
  }

  /**
   * Begins anew.
   *
   * @param told the sequence up to which everything is known already
   * @param through the sequence up to which to go
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
        present = PositionsSnapshot.of(positions.everyone(), through);
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
   * Moves to the next rider; one that has moved on since, and so comes later, is passed over.
   *
   * @return false at the end, and when many were looked at; {@link #known} then says how far it
   *     came
   */
  boolean next() {
    while (examined++ < EXAMINED_MAX) {
      if (index >= end) {
        return end();
      }
      PositionsSnapshot present = snapshot;
      long sequence;
      LatestPosition rider;
      if (byRoll && present != null) {
        sequence = present.sequence((int) index);
        rider = present.rider((int) index);
      } else {
        sequence = changes.sequence(index);
        rider = changes.rider(index);
        if (changes.since() > known) {
          return false;
        }
        if (sequence > through) {
          return end();
        }
      }
      index++;
      known = sequence;
      if (rider.sequence() == sequence) {
        latest = rider;
        return true;
      }
    }
    return false;
  }

  private boolean end() {
    known = Math.max(known, through);
    return false;
  }

  /** Who it has come to. */
  LatestPosition latest() {
    if (latest == null) {
      throw new IllegalStateException("before the first");
    }
    return latest;
  }

  /** Everything up to here has been gone through. */
  long known() {
    return known;
  }

  /** Whether there is more above {@link #known}. */
  boolean isCut() {
    return known < wanted;
  }

  /** Lets go of what it has gathered. */
  void rest() {
    snapshot = null;
    latest = null;
  }
}
