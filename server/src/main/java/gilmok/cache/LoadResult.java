package gilmok.cache;

import java.io.IOException;

/** What became of asking for a value. */
public sealed interface LoadResult<V> {
  /** It is there. */
  record Value<V>(V value) implements LoadResult<V> {}

  /** Too many loads are under way, or too many wait for them. */
  record Busy<V>() implements LoadResult<V> {}

  /** The source did not answer, and no old value was there. */
  record Failed<V>(IOException cause) implements LoadResult<V> {}
}
