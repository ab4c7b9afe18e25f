package gilmok.transfer;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One kind of record that this server keeps and gives out. Thread-safe; calls block, and throw
 * {@link IOException} when the storage fails.
 */
public interface Dataset {
  /** Its name in paths and files, such as {@code statement-entries}. */
  String name();

  /**
   * Reads the records behind a cursor, in an order that never changes. Records that are added
   * meanwhile may be left out.
   *
   * @param cursor where the page before ended; empty for the first page
   * @param limit how many at most; a page may have fewer, even none, and not be the last
   */
  DatasetPage page(String cursor, int limit) throws IOException, InterruptedException;

  /** Why a text cannot be one of its cursors; null when it can. */
  default @Nullable String whyNoCursor(String cursor) {
    return null;
  }

  /** What takes its records in again, for one body; null where another route does. */
  @Nullable RecordBatch batch(String keyId);
}
