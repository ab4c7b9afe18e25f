package gilmok.auth;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Stored keys that cannot be read. The server must not start without them. */
final class DamagedKeys extends IOException {
  private static final long serialVersionUID = 1L;

  private final String why;

  /**
   * Reports one damaged file or document.
   *
   * @param what the file or document
   */
  DamagedKeys(String what, String reason, @Nullable Exception cause) {
    super(what + " is damaged: " + reason, cause);
    why = reason;
  }

  /** Why, in a few words. */
  String why() {
    return why;
  }
}
