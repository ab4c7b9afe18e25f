package gilmok.positions;

import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Events of positions as they are sent, kept for the next reader of the same rider: many follow the
 * same ones, and to write an event costs ten times what it costs to copy it. Each rider has one
 * place, by its number; riders beyond {@link #SLOTS} share them, and then write theirs anew.
 *
 * <p>Not thread-safe: owned by the stream thread.
 */
final class RenderedPositions {
  /** A few megabytes at most. */
  static final int SLOTS = 1 << 14;

  private final byte[] id;
  private final EventView view = new EventView();
  private final JsonBuffer json = new JsonBuffer();
  private final @Nullable LatestPosition[] riders = new @Nullable LatestPosition[SLOTS];
  private final long[] sequences = new long[SLOTS];
  private final byte[][] events = new byte[SLOTS][];

  /**
   * @param id what an event's id begins with, as in {@code id: node:}
   */
  RenderedPositions(byte[] id) {
    this.id = id;
    Arrays.fill(events, new byte[0]);
  }

  /** Writes a rider's latest position as the event of that sequence. */
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

  /** Lets go of all events, while nobody reads. */
  void rest() {
    Arrays.fill(riders, null);
    Arrays.fill(events, new byte[0]);
  }
}
