package gilmok.cache;

import org.jspecify.annotations.Nullable;

/** Encodes values as the bytes that nodes share, and decodes them. Thread-safe. */
public interface Codec<V> {
  /** The encoded value. */
  byte[] encode(V value);

  /** The decoded value; null when the bytes are damaged or of another version of the codec. */
  @Nullable V decode(byte[] bytes);

  /** About how many bytes of memory a decoded value takes. */
  int weigh(V value);
}
