package gilmok.lab.partner;

import java.time.Duration;

/**
 * How a partner behaves. Shares are 0 to 1, of calls.
 *
 * @param fail answered 500
 * @param refuse their connection closed without an answer
 * @param hang answered only after {@code hangTime}; taken then
 * @param delay how long every answer takes
 */
public record Conduct(double fail, double refuse, double hang, Duration hangTime, Duration delay) {
  /** A good partner. */
  public static final Conduct GOOD = new Conduct(0, 0, 0, Duration.ZERO, Duration.ZERO);
}
