package gilmok.auth;

import java.time.Duration;

/**
 * What a browser keeps in place of a key.
 *
 * @param text the cookie's value
 * @param lifetime how long it is good, in whole seconds
 */
public record Session(String text, Duration lifetime) {
  /** Without the text. */
  @Override
  public String toString() {
    return "Session[lifetime=" + lifetime + "]";
  }
}
