package gilmok.auth;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Keys are there but cannot be understood; the server must not start without them. */
final class DamagedKeys extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * That something is damaged.
   *
   * @param what the file or document
   */
  DamagedKeys(String what, String reason, @Nullable Exception cause) {
    super(what + " is damaged: " + reason, cause);
  }
}
