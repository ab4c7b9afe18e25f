package gilmok.statements;

import java.io.IOException;

/**
 * Bytes that are no BSON, or no entries, or not all of them: a database that others write to, or an
 * answer that was mangled. Never something a caller sent.
 */
public final class DamagedBson extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedBson(String what, int offset) {
    super(what + ", at byte " + offset);
  }
}
