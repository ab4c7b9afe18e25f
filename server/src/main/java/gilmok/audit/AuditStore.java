package gilmok.audit;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps entries of all nodes until they expire, and of each node how far its are copied.
 * Thread-safe; calls block, and throw {@link IOException} when the storage fails.
 */
public interface AuditStore {
  /** Most entries that one call can put or read. */
  int ENTRIES_MAX = 1000;

  /**
   * A stored entry.
   *
   * @param id see {@link AuditId}
   * @param key the id of the key that made the change
   * @param json the whole entry
   * @param isLast whether to put it in place of one of that id: it says what became of the change
   *     after all, and the one from before the change may be copied late. False when it is read
   */
  record Row(String id, String key, String json, long expiresAtMillis, boolean isLast) {
    /** An entry that is kept so long, from when it was made. */
    static Row of(String id, String key, String json, Duration retention, boolean isLast) {
      return new Row(id, key, json, AuditId.millis(id) + retention.toMillis(), isLast);
    }
  }

  /**
   * What is looked for.
   *
   * @param fromId ids from this one on
   * @param belowId ids below this one
   * @param key only changes by that key; null for all
   */
  record Question(String fromId, String belowId, @Nullable String key, int limit) {}

  /** Adds entries; of one id, the last remains. Durable on return. */
  void put(List<Row> rows, long nowMillis) throws IOException, InterruptedException;

  /** Entries that have not expired, the newest first. */
  List<Row> page(Question question, long nowMillis) throws IOException, InterruptedException;
}
