package gilmok.privacy;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the register, and apart from it whose each pseudonym is. Thread-safe; calls block, and
 * throw {@link IOException} when the storage fails.
 */
public interface RegisterStore {
  /** Most rows that one call reads or removes. */
  int ROWS_MAX = 10_000;

  /** The id of a rider who was forgotten. */
  String FORGOTTEN = "";

  /** The pseudonyms of riders of whom something was collected. */
  static Set<String> collected(List<RegisterRow> rows) {
    return rows.stream()
        .filter(row -> row.kind() == RegisterRow.Kind.COLLECTED)
        .map(RegisterRow::rider)
        .collect(Collectors.toSet());
  }

  /**
   * What is looked for.
   *
   * @param rider a pseudonym; null for all
   * @param key the id of a key; null for all
   * @param fromId ids from this one on
   * @param belowId ids below this one
   * @param fromMillis rows that end then or later: one of a day or an hour begins before
   * @param toMillis rows that begin before then
   */
  record Question(
      @Nullable String rider,
      @Nullable String key,
      String fromId,
      String belowId,
      long fromMillis,
      long toMillis,
      int limit) {}

  /**
   * Adds rows to those of their ids, and the riders' ids to their pseudonyms. Durable on return. Of
   * a rider who was forgotten the id is taken only with a row that something was collected: who
   * asks for an erased rider does not make the id known again.
   *
   * @param names the ids by the pseudonyms of the rows
   */
  void add(List<RegisterRow> rows, Map<String, String> names)
      throws IOException, InterruptedException;

  /** Rows, the newest first. */
  List<RegisterRow> page(Question question) throws IOException, InterruptedException;

  /** The ids that are known by those pseudonyms. */
  Map<String, String> names(Collection<String> pseudonyms) throws IOException, InterruptedException;

  /**
   * Forgets whose a pseudonym is, for an erasure, until something is collected of the rider again;
   * returns how many were known.
   */
  int forget(String pseudonym) throws IOException, InterruptedException;

  /** Removes rows with ids below that one, {@link #ROWS_MAX} at most; returns how many. */
  int remove(String belowId) throws IOException, InterruptedException;
}
