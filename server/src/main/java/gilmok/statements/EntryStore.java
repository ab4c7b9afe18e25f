package gilmok.statements;

import gilmok.event.DayRange;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores entries and sums them. Added entries are durable on return, and seen by all later calls of
 * the same store. Thread-safe; calls block, and throw {@link IOException} when the storage fails.
 */
public interface EntryStore {
  /** Most entries that one call can add or read. */
  int ENTRIES_MAX = 1_000;

  /**
   * The result of adding entries.
   *
   * @param accepted the number of new entries
   * @param duplicates the number of entries whose id is stored already, or occurs before in the
   *     list
   * @param differing the ids of duplicates that differ from what is stored under the id, at most
   *     {@link #ENTRIES_MAX}, in the list's order
   * @param tooOld the ids of entries of a time whose entries were removed ({@link
   *     #keptFromMillis}), in the list's order. They are not added, new or not: nobody can tell
   */
  record Added(int accepted, int duplicates, List<String> differing, List<String> tooOld) {
    public Added {
      differing = List.copyOf(differing);
      tooOld = List.copyOf(tooOld);
    }

    /** None too old. */
    public Added(int accepted, int duplicates, List<String> differing) {
      this(accepted, duplicates, differing, List.of());
    }
  }

  /**
   * Since when entries are kept, epoch ms; 0 when none was removed. Of what a call has read before
   * this one, nothing of that time or later was missing. It never goes back.
   */
  default long keptFromMillis() throws IOException, InterruptedException {
    return 0; // nothing is removed from it
  }

  /**
   * Adds the entries whose ids are new; stored entries never change.
   *
   * @param entries at most {@link #ENTRIES_MAX}
   * @throws IOException when it is unknown whether all were added; the same call again repairs that
   */
  Added add(List<StatementEntry> entries) throws IOException, InterruptedException;

  /** Sums a rider's entries of those days in one currency. */
  DaySums sum(String riderId, DayRange days, String currency)
      throws IOException, InterruptedException;

  /**
   * Reads a page of a rider's entries in all currencies, the earliest first; entries of the same
   * millisecond are sorted by id, as UTF-8.
   *
   * @param fromMillis inclusive, epoch ms
   * @param untilMillis exclusive, epoch ms
   * @param after only entries that sort after this one; null for the first page
   * @param limit 1 to {@link #ENTRIES_MAX}
   */
  List<StatementEntry> page(
      String riderId, long fromMillis, long untilMillis, @Nullable StatementEntry after, int limit)
      throws IOException, InterruptedException;

  /**
   * Reads entries of all riders, by id as UTF-8.
   *
   * @param id only entries whose id sorts after it; empty for the first
   * @param limit 1 to {@link #ENTRIES_MAX}
   */
  List<StatementEntry> after(String id, int limit) throws IOException, InterruptedException;
}
