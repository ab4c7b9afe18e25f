package gilmok.retention;

import java.io.IOException;
import java.util.List;

/**
 * Where documents are kept after the store. Blocks.
 *
 * @param <T> a document
 */
@FunctionalInterface
public interface DocumentArchive<T> {
  /**
   * Documents to archive, a page at a time.
   *
   * @param <T> a document
   */
  @FunctionalInterface
  interface Pages<T> {
    /** The next ones; empty at the end. */
    List<T> next() throws IOException, InterruptedException;
  }

  /**
   * Keeps documents as one file of that name, in place of one that is there. On return it is
   * durable: its bytes, its name, and its line in the manifest.
   *
   * @throws IOException when it is not; then a file that was there may be there still
   */
  void write(String name, Pages<T> pages) throws IOException, InterruptedException;
}
