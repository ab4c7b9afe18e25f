package gilmok.positions;

import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;

/** The metrics of latest positions and of their streams. Thread-safe. */
public final class PositionsMeters {
  private final Counter positions;
  private final Counter left;
  private final Counter heldBack;
  private final Histogram ticks;

  public PositionsMeters(Meters meters) {
    String events = "gilmok_positions_stream_events_total";
    positions = meters.counter(events, "Events written to streams.", "event", "position");
    left = meters.counter(events, "Events written to streams.", "event", "left");
    heldBack =
        meters.counter(
            "gilmok_positions_stream_held_back_total",
            "Times a reader was skipped that had not read its last events yet.");
    ticks =
        meters.seconds(
            "gilmok_positions_stream_tick_seconds", "One round over all streams of positions.");
  }

  /** Counts one write to a reader. */
  void told(int positionsNow, int leftNow) {
    positions.add(positionsNow);
    left.add(leftNow);
  }

  /** Counts a reader that was due but had not yet received the write before. */
  void heldBack() {
    heldBack.increment();
  }

  /** Records the duration of one tick over all readers. */
  void ticked(long nanos) {
    ticks.record(nanos);
  }
}
