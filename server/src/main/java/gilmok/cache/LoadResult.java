package gilmok.cache;

import java.io.IOException;

/** The result of {@link SingleFlightCache#get}. Immutable. */
public sealed interface LoadResult<V> {
  /** The value, fresh or stale. */
  record Value<V>(V value) implements LoadResult<V> {}

  /** Refused: too many loads are in flight, or too many callers wait for them. */
  record Busy<V>() implements LoadResult<V> {}

  /** The load failed, and there was no old value that could be answered. */
  record Failed<V>(IOException cause) implements LoadResult<V> {}
}
