package gilmok.cache;

import java.io.IOException;

/** What became of asking for a value. */
public sealed interface Got<V> {
  /** It is there. */
  record Value<V>(V value) implements Got<V> {}

  /** Too many loads are under way, or too many wait for them. */
  record Busy<V>() implements Got<V> {}

  /** The source did not answer, and no old value was there. */
  record Failed<V>(IOException cause) implements Got<V> {}
}
