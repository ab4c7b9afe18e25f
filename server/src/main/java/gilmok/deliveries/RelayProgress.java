package gilmok.deliveries;

import gilmok.event.JsonBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a partner was told of a delivery, as it is archived. Immutable.
 *
 * @param told the sequence of the last settled event: sent, given up or not wanted
 * @param attempts the attempts that are kept, the oldest first
 * @param deadLetters the events that were given up
 */
record RelayProgress(int told, List<WebhookAttempt> attempts, List<DeadLetter> deadLetters) {
  RelayProgress {
    attempts = List.copyOf(attempts);
    deadLetters = List.copyOf(deadLetters);
  }

  /** An event that was given up. */
  record DeadLetter(int sequence, int attempts, @Nullable String error, long atMillis) {}

  void write(JsonBuffer out) {
    out.ascii("{\"told\":").number((long) told);
    out.ascii(",\"attempts\":").list(attempts, RelayProgress::write);
    out.ascii(",\"deadLetters\":").list(deadLetters, RelayProgress::write).put('}');
  }

  private static void write(WebhookAttempt one, JsonBuffer out) {
    out.ascii("{\"sequence\":").number((long) one.sequence());
    out.ascii(",\"at\":").time(one.atMillis());
    out.ascii(",\"status\":").number((long) one.status());
    out.ascii(",\"latencyMillis\":").number(one.latencyMillis());
    error(one.error(), out);
  }

  private static void write(DeadLetter one, JsonBuffer out) {
    out.ascii("{\"sequence\":").number((long) one.sequence);
    out.ascii(",\"attempts\":").number((long) one.attempts);
    out.ascii(",\"at\":").time(one.atMillis);
    error(one.error, out);
  }

  private static void error(@Nullable String error, JsonBuffer out) {
    if (error != null) {
      out.ascii(",\"error\":").string(error);
    }
    out.put('}');
  }
}
