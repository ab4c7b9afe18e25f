package gilmok.cache;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A codec of texts, whose bytes begin with a {@code v}. */
final class Texts implements Codec<String> {
  /** A value for which {@link #weigh} throws. */
  static final String UNWEIGHABLE = "unweighable";

  @Override
  public byte[] encode(String value) {
    return bytes("v" + value);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public @Nullable String decode(byte[] bytes) {
    // Throws on an empty array, as no codec should: the cache must survive it.
    return bytes[0] == 'v' ? new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8) : null;
  }

  @Override
  public int weigh(String value) {
    if (value.equals(UNWEIGHABLE)) {
      throw new IllegalStateException("as told");
    }
    return 2 * value.length();
  }

  /** Wraps an array, because a record must not have one as a component. */
  static final class Bytes {
    private final byte[] array;

    Bytes(byte[] array) {
      this.array = array;
    }

    byte[] array() {
      return array;
    }
  }
}
