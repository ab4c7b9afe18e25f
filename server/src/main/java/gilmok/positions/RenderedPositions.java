package gilmok.positions;

import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

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
  private final EventView view = new EventView();
  private final JsonBuffer json = new JsonBuffer();
  private final @Nullable LatestPosition[] riders = new @Nullable LatestPosition[SLOTS];
  private final long[] sequences = new long[SLOTS];
  private final byte[][] events = new byte[SLOTS][];

  /**
   * An empty cache.
   *
   * @param id the start of an event's id, as in {@code id: node:}
   */
  RenderedPositions(byte[] id) {
    this.id = id;
    Arrays.fill(events, new byte[0]);
  }

  /** Writes a rider's latest position as the event with the given sequence. */
  void write(LatestPosition latest, long sequence, JsonBuffer out) {
    int slot = latest.number() & (SLOTS - 1);
    if (riders[slot] != latest || sequences[slot] != sequence) {
      json.clear();
      json.raw(id, 0, id.length).number(sequence).ascii("\nevent: position\ndata: ");
      latest.writeJson(view, json);
      json.ascii("\n\n");
      events[slot] = json.copy();
      riders[slot] = latest;
      sequences[slot] = sequence;
    }
    out.raw(events[slot], 0, events[slot].length);
  }

  /** Releases all events while there are no readers. */
  void rest() {
    Arrays.fill(riders, null);
    Arrays.fill(events, new byte[0]);
  }
}
