package gilmok.statements;

import java.io.IOException;

/**
 * Bytes of the database that are not BSON, are not entries, or are incomplete: another program has
 * written them, or the answer was corrupted. Never caused by a caller's input.
 */
public final class DamagedBson extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedBson(String what, int offset) {
    super(what + ", at byte " + offset);
  }
}
