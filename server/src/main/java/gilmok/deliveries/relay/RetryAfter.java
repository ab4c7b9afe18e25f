package gilmok.deliveries.relay;

import org.jspecify.annotations.Nullable;

/** The header Retry-After, where it is a number of seconds; a date is as good as none. */
final class RetryAfter {
  private static final int DIGITS_MAX = 9;

  private RetryAfter() {}

  /** How long, in milliseconds; 0 when it does not say. */
  static long millis(@Nullable String header) {
    if (header == null || header.isEmpty() || header.length() > DIGITS_MAX) {
      return 0;
    }
    long seconds = 0;
    for (int i = 0; i < header.length(); i++) {
      char c = header.charAt(i);
      if (c < '0' || c > '9') {
        return 0;
      }
      seconds = 10 * seconds + c - '0';
    }
    return 1000 * seconds;
  }
}
