package gilmok.statements;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps entries and sums them. What was added is durable, and seen by whoever asks the same store
 * afterwards. Thread-safe; calls block.
 */
public interface EntryStore {
  /** Most entries that are added, or read, at once. */
  int ENTRIES_MAX = 1_000;

  /**
   * What became of entries.
   *
   * @param accepted how many are new
   * @param duplicates how many had the id of one that is kept, or stands before them in the list
   * @param differing the ids of those duplicates that are not what is kept under their id, at most
   *     {@link #ENTRIES_MAX}, in the list's order
   */
  record Added(int accepted, int duplicates, List<String> differing) {
    public Added {
      differing = List.copyOf(differing);
    }
  }

  /**
   * Adds those that are not there; what is kept is never changed.
   *
   * @param entries at most {@link #ENTRIES_MAX}
   * @throws IOException when it is not known whether all were added: the same again mends that
   */
  Added add(List<StatementEntry> entries) throws IOException, InterruptedException;

  /** A rider's sums of those days in one currency. */
  DaySums sum(String riderId, DayRange days, String currency)
      throws IOException, InterruptedException;

  /**
   * A rider's entries of that time, in all currencies, the earliest first, those of the same
   * millisecond by id (as its UTF-8 sorts).
   *
   * @param fromMillis inclusive
   * @param untilMillis exclusive
   * @param after only those that sort after this one; null for the first page
   * @param limit 1 to {@link #ENTRIES_MAX}
   */
  List<StatementEntry> page(
      String riderId, long fromMillis, long untilMillis, @Nullable StatementEntry after, int limit)
      throws IOException, InterruptedException;
}
