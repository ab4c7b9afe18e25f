package gilmok.log;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A part of the log that was durable is damaged or missing. The message names the file and the
 * offset.
 */
public final class DamagedLogException extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedLogException(Path file, long offset, String what) {
    super(file + ": damaged at offset " + offset + ": " + what);
  }
}
