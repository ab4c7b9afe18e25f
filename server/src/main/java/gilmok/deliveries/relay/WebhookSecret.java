package gilmok.deliveries.relay;

import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The secret that a partner and this server share: {@code whsec_} and 24 to 64 bytes in base64. */
final class WebhookSecret {
  static final String PREFIX = "whsec_";
  private static final int BYTES_MIN = 24;
  private static final int BYTES_MAX = 64;

  /** The prefix and 64 bytes in base64 with padding. */
  private static final int CHARS_MAX = PREFIX.length() + 88;

  private WebhookSecret() {}

  /** What is wrong with a secret, in words for people; null when nothing is. */
  static @Nullable String fault(String text) {
    if (!text.startsWith(PREFIX)) {
      return "must begin with " + PREFIX;
    }
    int length = -1;
    try {
      length = text.length() > CHARS_MAX ? -1 : bytes(text).length;
    } catch (IllegalArgumentException notBase64) {
      // Refused below.
    }
    if (length < 0) {
      return "must be " + PREFIX + " and base64 of 24 to 64 bytes";
    }
    return length >= BYTES_MIN && length <= BYTES_MAX
        ? null
        : "must have 24 to 64 bytes, not " + length;
  }

  /** The bytes of a well-formed secret. */
  static byte[] bytes(String text) {
    return Base64.getDecoder().decode(text.substring(PREFIX.length()));
  }
}
