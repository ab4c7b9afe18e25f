package gilmok.positions;

/** Hears what streams of positions do, to count it. Called on the stream thread. */
public interface PositionsMeter {
  /** Counts nothing. */
  PositionsMeter NONE = new PositionsMeter() {};

  /** One reader was written to. */
  default void told(int positions, int left) {}

  /** A reader who should have been written to has yet to take what was written before. */
  default void heldBack() {}

  /** One round over all readers. */
  default void ticked(long nanos) {}
}
