package gilmok.lab.partner;

import java.time.Duration;

/**
 * The behaviour of a partner. Shares are from 0 to 1, of all calls.
 *
 * @param fail the share answered 500
 * @param refuse the share whose connection is closed without a response
 * @param hang the share that is accepted and answered only after {@code hangTime}
 * @param delay the delay of every response
 */
public record Conduct(double fail, double refuse, double hang, Duration hangTime, Duration delay) {
  /** A partner without faults. */
  public static final Conduct GOOD = new Conduct(0, 0, 0, Duration.ZERO, Duration.ZERO);
}
