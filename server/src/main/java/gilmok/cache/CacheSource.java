package gilmok.cache;

import java.io.IOException;

/** Where a value comes from when it is not kept. From any thread that may block. */
@FunctionalInterface
public interface CacheSource<V> {
  /**
   * Loads a key's value.
   *
   * @throws IOException when the source does not answer
   */
  V load(String key) throws IOException, InterruptedException;
}
