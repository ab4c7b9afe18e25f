package gilmok.statements;

import gilmok.retention.DocumentRemoval;
import gilmok.retention.RemovalPlan;
import java.util.List;

/**
 * Takes old entries out of a store, whole UTC days of them. Pages are by rider, time and id, so
 * that they need no index of their own. From a plan on, before its file is begun, no entry of its
 * days or earlier is added any more ({@link EntryStore#keptFromMillis}): one that was removed would
 * not be known as a repeat.
 */
public interface EntryRemoval extends DocumentRemoval<StatementEntry> {
  /** Their name among the kinds of documents. */
  String KIND = "statements";

  /** The digits of a time, so that times sort as texts. */
  int DIGITS = 15;

  @Override
  default List<String> causes() {
    return List.of(); // an entry never changes, and nothing waits for it
  }

  @Override
  default String removedTo(RemovalPlan plan, long latestMillis) {
    long end = (PackedEntries.day(latestMillis) + 1) * PackedEntries.DAY_MILLIS;
    return ("%0" + DIGITS + "d").formatted(Math.max(0, end));
  }

  /** The time of what {@link #removedTo} has made; 0 when nothing was removed. */
  static long millis(String removedTo) {
    return removedTo.isEmpty() ? 0 : Long.parseLong(removedTo);
  }

  /**
   * The end of the days that can go. One more stays than is asked for: a day of the fleet's zone
   * begins up to a day before the UTC day that it ends in.
   */
  static long end(long beforeMillis) {
    return (PackedEntries.day(beforeMillis) - 1) * PackedEntries.DAY_MILLIS;
  }
}
