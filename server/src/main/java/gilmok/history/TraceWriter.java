package gilmok.history;

import gilmok.event.JsonBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes one answer of positions, as they come; what it keeps of them has a bound. Riders come one
 * after the other. Not thread-safe: one thread at a time has the question.
 */
interface TraceWriter {
  /** Begins the answer. */
  void begin(JsonBuffer out);

  /** The rider's next position comes long after the one before: no line joins them. */
  default void gap(JsonBuffer out) {}

  /** Writes a position; the first one of a rider begins that rider. */
  void point(String riderId, TracePoint point, JsonBuffer out);

  /**
   * Ends the answer.
   *
   * @param next the cursor of the next page; null when there is none
   */
  void end(@Nullable String next, JsonBuffer out);
}
