package gilmok.deliveries.relay;

import gilmok.deliveries.WebhookAttempt;
import gilmok.observe.FieldLog.Field;
import gilmok.trace.TraceContext;
import gilmok.trace.TraceSpan;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a call. Immutable.
 *
 * @param status the HTTP status; 0 when there was no answer
 * @param error why it failed, in words for people; empty when it did not
 * @param retryAfterMillis the wait that the partner asks for; 0 when it asks for none
 */
record WebhookOutcome(int status, String error, long retryAfterMillis) {
  static final int GONE = 410;
  static final int TOO_MANY = 429;
  private static final int UNAVAILABLE = 503;
  private static final BigInteger SECONDS_MAX = BigInteger.valueOf(999_999_999);

  /** The outcome without an answer. */
  static WebhookOutcome none(String error) {
    return new WebhookOutcome(0, error, 0);
  }

  /**
   * The wait that a Retry-After header asks for, ms; 0 if it is absent or no number of seconds. At
   * most thirty years.
   */
  static long retryAfter(@Nullable String header) {
    if (header == null || !header.matches("[0-9]{1,100}")) {
      return 0;
    }
    return 1000L * new BigInteger(header).min(SECONDS_MAX).intValue();
  }

  /**
   * The attempt that ends now with this outcome.
   *
   * @param sequence the event's sequence
   * @param atMillis when it began, epoch ms
   * @param nanos the same by {@link System#nanoTime}
   */
  WebhookAttempt attempt(int sequence, long atMillis, long nanos) {
    long latency = (System.nanoTime() - nanos) / 1_000_000;
    return new WebhookAttempt(sequence, atMillis, status, latency, isSuccess() ? null : error);
  }

  /**
   * The span of the call that ends now with this outcome.
   *
   * @param context the call's place in its trace
   * @param parentId the span that caused it
   */
  TraceSpan span(TraceContext context, long parentId, String partnerId, long nanos) {
    List<Field> attributes = new ArrayList<>(4);
    attributes.add(new Field("http.request.method", "POST"));
    attributes.add(new Field("gilmok.partner", partnerId));
    if (status > 0) {
      attributes.add(new Field("http.response.status_code", status));
    }
    if (!isSuccess()) {
      attributes.add(new Field("error.type", status > 0 ? Integer.toString(status) : "no_answer"));
    }
    return new TraceSpan(
        context,
        parentId,
        TraceSpan.Kind.CLIENT,
        "POST webhook",
        Instant.now(),
        nanos,
        !isSuccess(),
        attributes,
        List.of());
  }

  boolean isSuccess() {
    return status >= 200 && status <= 299;
  }

  /** Whether the partner asks for a pause of all calls, not only of this one. */
  boolean isThrottled() {
    return status == TOO_MANY || (status == UNAVAILABLE && retryAfterMillis > 0);
  }
}
