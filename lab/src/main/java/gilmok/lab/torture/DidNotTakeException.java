package gilmok.lab.torture;

import java.io.IOException;

/** A fault was begun and did nothing: a round without it is not the round that was asked for. */
final class DidNotTakeException extends IOException {
  private static final long serialVersionUID = 1L;

  DidNotTakeException(String why) {
    super(why);
  }
}
