package gilmok.auth;

import java.time.Duration;

/**
 * A session, which a browser keeps in place of a key.
 *
 * @param text the cookie's value
 * @param lifetime how long it is valid, in whole seconds
 */
public record Session(String text, Duration lifetime) {
  /** A description without the text. */
  @Override
  public String toString() {
    return "Session[lifetime=" + lifetime + "]";
  }
}
