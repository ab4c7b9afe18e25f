package gilmok.lab.torture;

import java.io.IOException;

/**
 * Thrown when a fault had no effect. The round then does not count, because it was not the round
 * that was planned.
 */
final class DidNotTakeException extends IOException {
  private static final long serialVersionUID = 1L;

  DidNotTakeException(String why) {
    super(why);
  }
}
