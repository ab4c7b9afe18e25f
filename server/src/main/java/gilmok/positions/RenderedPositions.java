package gilmok.positions;

import gilmok.event.JsonBuffer;
import java.util.Arrays;

/**
 * A cache of positions encoded as server-sent events. Many readers follow the same riders, and
 * encoding an event costs ten times as much as copying it. Each rider's number selects a slot;
 * riders with numbers from {@link #SLOTS} on share slots, and an event that was overwritten is
 * encoded again.
 *
 * <p>Not thread-safe: owned by the stream thread.
 */
final class RenderedPositions {
  /** Bounds the cache to a few megabytes. */
  static final int SLOTS = 1 << 14;

  private final byte[] id;
  private final LatestPositions positions;
  private final PositionCopy copy = new PositionCopy();
  private final JsonBuffer json = new JsonBuffer();
  private final int[] riders = new int[SLOTS];
  private final long[] sequences = new long[SLOTS];
  private final byte[][] events = new byte[SLOTS][];
  private final HiddenRiders hidden;
  private long hiddenVersion;

  /**
   * An empty cache.
   *
   * @param id the start of an event's id, as in {@code id: node:}
   */
  RenderedPositions(LatestPositions positions, HiddenRiders hidden, byte[] id) {
    this.positions = positions;
    this.hidden = hidden;
    this.id = id;
    rest();
  }

  /**
   * Writes a rider's position with the given sequence as an event.
   *
   * @return false if there is a newer one by now, the number is another rider's, or the rider is
   *     hidden
   */
  boolean write(int rider, long sequence, JsonBuffer out) {
    long version = hidden.version();
    if (version != hiddenVersion) {
      rest();
      hiddenVersion = version;
    }
    int slot = rider & (SLOTS - 1);
    if (riders[slot] != rider || sequences[slot] != sequence) {
      if (!positions.copy(rider, copy) || copy.sequence() != sequence) {
        return false;
      }
      if (hidden.isAny() && copy.isHidden(hidden)) {
        return false;
      }
      json.clear();
      json.raw(id, 0, id.length).number(sequence).ascii("\nevent: position\ndata: ");
      copy.writeJson(json);
      json.ascii("\n\n");
      events[slot] = json.copy();
      riders[slot] = rider;
      sequences[slot] = sequence;
    }
    out.raw(events[slot], 0, events[slot].length);
    return true;
  }

  /** Releases all events while there are no readers. */
  void rest() {
    Arrays.fill(riders, RiderTable.NONE);
    Arrays.fill(events, new byte[0]);
  }
}
