package gilmok.log;

/**
 * Sequences that have no records in the log. A value.
 *
 * @param from the first sequence
 * @param to the last sequence
 * @param isSkipped whether the log left them out when it was opened, because a reader may have seen
 *     some of them before a power loss took their records: none of them was ever durable. Else
 *     their records are lost: somebody else removed or damaged their segment; the log did not
 *     delete it
 */
public record LostRange(long from, long to, boolean isSkipped) {
  /** Sequences whose records were durable and are lost. */
  public LostRange(long from, long to) {
    this(from, to, false);
  }

  /** How many sequences there are. */
  public long records() {
    return to - from + 1;
  }
}
