package gilmok.auth;

import java.io.IOException;
import java.nio.file.Path;

/** The file of keys is there but cannot be understood; the server must not start without it. */
final class DamagedKeys extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedKeys(Path file, String reason) {
    super(file + " is damaged: " + reason);
  }
}
