package gilmok.log;

/**
 * Sequences of which the log has no record any more, though they were given out: their segment was
 * removed or damaged by somebody else, not let go by the log. A value.
 *
 * @param from the first of them
 * @param to the last of them
 */
public record LostRange(long from, long to) {
  /** How many sequences there are. */
  public long records() {
    return to - from + 1;
  }
}
