package gilmok.cache;

import java.io.IOException;

/** The source of a cache's values, called on a miss or a refresh. Thread-safe; may block. */
@FunctionalInterface
public interface CacheSource<V> {
  /**
   * Loads the value of a key.
   *
   * @throws IOException when the source does not answer
   */
  V load(String key) throws IOException, InterruptedException;
}
