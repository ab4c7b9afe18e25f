package gilmok.deliveries.relay;

import org.jspecify.annotations.Nullable;

/**
 * What became of a call.
 *
 * @param status the partner's; 0 when it did not answer
 * @param error why it failed, for people; empty when it did not
 * @param retryAfterMillis how long the partner asks to be left alone; 0 when it does not
 */
record WebhookOutcome(int status, String error, long retryAfterMillis) {
  static final int GONE = 410;
  static final int TOO_MANY = 429;
  private static final int UNAVAILABLE = 503;

  /** Nobody answered. */
  static WebhookOutcome none(String error) {
    return new WebhookOutcome(0, error, 0);
  }

  /** How long a header Retry-After asks to wait, ms; 0 when it says no number of seconds. */
  static long retryAfter(@Nullable String header) {
    return header != null && header.matches("[0-9]{1,9}") ? 1000L * Integer.parseInt(header) : 0;
  }

  boolean isSuccess() {
    return status >= 200 && status <= 299;
  }

  /** Whether the partner as a whole wants to be left alone, not only this call. */
  boolean isThrottled() {
    return status == TOO_MANY || (status == UNAVAILABLE && retryAfterMillis > 0);
  }
}
