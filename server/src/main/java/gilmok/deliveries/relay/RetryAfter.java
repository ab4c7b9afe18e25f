package gilmok.deliveries.relay;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The header Retry-After, where it is a number of seconds; a date is as good as none. */
final class RetryAfter {
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  private RetryAfter() {}

  /** How long, in milliseconds; 0 when it does not say. */
  static long millis(@Nullable String header) {
    return header != null && NUMBER.matcher(header).matches()
        ? 1000L * Integer.parseInt(header)
        : 0;
  }
}
