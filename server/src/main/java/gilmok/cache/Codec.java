package gilmok.cache;

import org.jspecify.annotations.Nullable;

/** A value as the bytes that nodes share. Thread-safe. */
public interface Codec<V> {
  /** The value's bytes. */
  byte[] encode(V value);

  /** The value of those bytes; null when they are not of this version, or damaged. */
  @Nullable V decode(byte[] bytes);

  /** About how many bytes of memory a value takes. */
  int weigh(V value);
}
