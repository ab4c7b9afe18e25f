package gilmok.deliveries;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to send a partner an event. Immutable.
 *
 * @param sequence the event's sequence
 * @param atMillis when it began, epoch ms
 * @param status the HTTP status; 0 when there was no answer
 * @param latencyMillis how long it took
 * @param error why it failed; null when it did not
 */
public record WebhookAttempt(
    int sequence, long atMillis, int status, long latencyMillis, @Nullable String error) {
  /** How many attempts of a delivery and a partner are kept: the newest. */
  static final int KEPT_MAX = 20;

  /** How much of an error is kept. */
  static final int ERROR_CHARS_MAX = 120;

  private static final int PARTS = 5;

  public WebhookAttempt {
    if (error != null && error.length() > ERROR_CHARS_MAX) {
      error = error.substring(0, ERROR_CHARS_MAX);
    }
  }

  /** Whether the partner has accepted the event. */
  public boolean isSuccess() {
    return error == null;
  }

  /** When it ended, epoch ms. */
  long endMillis() {
    return atMillis + latencyMillis;
  }

  /** This attempt as a line of a {@link #history}. */
  String line() {
    String why = error == null ? "" : error.replace('\n', ' ');
    return sequence + " " + atMillis + ' ' + status + ' ' + latencyMillis + ' ' + why + '\n';
  }

  /**
   * Reads lines, the oldest first. What is no whole line is left out, as the first one may be cut;
   * so is what is more than is kept.
   */
  static List<WebhookAttempt> history(@Nullable String lines) {
    if (lines == null) {
      return List.of();
    }
    List<WebhookAttempt> history = new ArrayList<>();
    for (String line : lines.split("\n", -1)) {
      WebhookAttempt read = read(line.split(" ", PARTS));
      if (read != null) {
        history.add(read);
      }
    }
    return history.subList(Math.max(0, history.size() - KEPT_MAX), history.size());
  }

  private static @Nullable WebhookAttempt read(String[] parts) {
    if (parts.length < PARTS) {
      return null;
    }
    try {
      return new WebhookAttempt(
          Integer.parseInt(parts[0]),
          Long.parseLong(parts[1]),
          Integer.parseInt(parts[2]),
          Long.parseLong(parts[3]),
          parts[4].isEmpty() ? null : parts[4]);
    } catch (NumberFormatException none) {
      return null;
    }
  }
}
