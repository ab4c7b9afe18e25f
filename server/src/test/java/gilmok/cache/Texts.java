package gilmok.cache;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Texts as values; their bytes begin with a {@code v}. */
final class Texts implements Codec<String> {
  /** A value that this has no size for. */
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
    // Trips over no bytes at all, as a codec must not.
    return bytes[0] == 'v' ? new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8) : null;
  }

  @Override
  public int weigh(String value) {
    if (value.equals(UNWEIGHABLE)) {
      throw new IllegalStateException("as told");
    }
    return 2 * value.length();
  }

  /** Bytes that a record can hold. */
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
