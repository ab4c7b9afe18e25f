package gilmok.deliveries.relay;

import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * What a partner and this server know of each other: {@code whsec_} and 24 to 64 bytes in base64.
 */
final class WebhookSecret {
  static final String PREFIX = "whsec_";
  private static final int BYTES_MIN = 24;
  private static final int BYTES_MAX = 64;

  /** Of the bytes' base64, with its padding. */
  private static final int CHARS_MAX = PREFIX.length() + 88;

  private WebhookSecret() {}

  /** What is wrong with it; null when nothing is. */
  static @Nullable String fault(String text) {
    if (!text.startsWith(PREFIX)) {
      return "must begin with " + PREFIX;
    }
    if (text.length() > CHARS_MAX || !isBase64(text)) {
      return "must be " + PREFIX + " and base64 of 24 to 64 bytes";
    }
    int length = bytes(text).length;
    return length >= BYTES_MIN && length <= BYTES_MAX
        ? null
        : "must have 24 to 64 bytes, not " + length;
  }

  /** The bytes of a good one. */
  static byte[] bytes(String text) {
    return Base64.getDecoder().decode(text.substring(PREFIX.length()));
  }

  /** Whether the decoder takes it: whole groups of four, padded or not. */
  private static boolean isBase64(String text) {
    int end = text.length();
    int padding = 0;
    while (end > PREFIX.length() && text.charAt(end - 1) == '=') {
      end--;
      padding++;
    }
    for (int i = PREFIX.length(); i < end; i++) {
      char c = text.charAt(i);
      boolean isDigit =
          (c >= 'A' && c <= 'Z')
              || (c >= 'a' && c <= 'z')
              || (c >= '0' && c <= '9')
              || c == '+'
              || c == '/';
      if (!isDigit) {
        return false;
      }
    }
    int chars = end - PREFIX.length();
    return chars % 4 != 1 && (padding == 0 || (chars + padding) % 4 == 0) && padding <= 2;
  }
}
