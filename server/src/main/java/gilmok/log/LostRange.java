package gilmok.log;

/**
 * Sequences that were assigned but whose records the log no longer has: somebody else removed or
 * damaged their segment; the log did not delete it. A value.
 *
 * @param from the first sequence
 * @param to the last sequence
 */
public record LostRange(long from, long to) {
  /** How many sequences there are. */
  public long records() {
    return to - from + 1;
  }
}
