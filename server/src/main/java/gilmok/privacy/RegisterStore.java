package gilmok.privacy;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the register, and apart from it whose each pseudonym is. Thread-safe; calls block, and
 * throw {@link IOException} when the storage fails.
 */
public interface RegisterStore {
  /** Most rows that one call reads or removes. */
  int ROWS_MAX = 10_000;

  /** Behind the id of every row. */
  String ABOVE_ALL = "g";

  /**
   * What is looked for.
   *
   * @param rider a pseudonym; null for all
   * @param who as in {@link RegisterRow}; null for all
   * @param fromId ids from this one on
   * @param belowId ids below this one
   * @param fromMillis rows that end then or later: one of a day or an hour begins before
   * @param toMillis rows that begin before then
   */
  record Question(
      @Nullable String rider,
      @Nullable String who,
      String fromId,
      String belowId,
      long fromMillis,
      long toMillis,
      int limit) {}

  /**
   * Adds rows to those of their ids, and the riders' ids to their pseudonyms. Durable on return.
   *
   * @param names the ids by the pseudonyms of the rows
   * @param marks rows that say that the others are added: in one step with them, or after them
   */
  void add(List<RegisterRow> rows, Map<String, String> names, List<RegisterRow> marks)
      throws IOException, InterruptedException;

  /** Adds rows whose ids are not there yet; the others stay as they are. Durable on return. */
  void put(List<RegisterRow> rows) throws IOException, InterruptedException;

  /** Rows, the newest first. */
  List<RegisterRow> page(Question question) throws IOException, InterruptedException;

  /**
   * How many times a rider's location was given to somebody; at least once for each row, as a
   * process that was killed has not written its last counts.
   */
  default long timesGiven(String pseudonym) throws IOException, InterruptedException {
    long times = 0;
    String below = ABOVE_ALL;
    List<RegisterRow> page;
    do {
      page = page(new Question(pseudonym, null, "0", below, 0, Long.MAX_VALUE, ROWS_MAX));
      for (RegisterRow row : page) {
        times += row.kind() == RegisterRow.Kind.GIVEN ? Math.max(1, row.span().count()) : 0;
        below = row.id();
      }
    } while (page.size() == ROWS_MAX);
    return times;
  }

  /** The ids that are known by those pseudonyms. */
  Map<String, String> names(Collection<String> pseudonyms) throws IOException, InterruptedException;

  /** Forgets whose a pseudonym is, for an erasure; returns how many were known. */
  int forget(String pseudonym) throws IOException, InterruptedException;

  /** Removes rows with ids below that one, {@link #ROWS_MAX} at most; returns how many. */
  int remove(String belowId) throws IOException, InterruptedException;
}
