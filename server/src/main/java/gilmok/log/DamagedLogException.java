package gilmok.log;

import java.io.IOException;
import java.nio.file.Path;

/** Something durable is no longer what was written. Names the file and where in it. */
public final class DamagedLogException extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedLogException(Path file, long offset, String what) {
    super(file + ": damaged at offset " + offset + ": " + what);
  }
}
