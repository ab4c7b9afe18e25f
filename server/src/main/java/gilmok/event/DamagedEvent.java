package gilmok.event;

/**
 * The bytes are no event of a known version, or are damaged. Our own log never holds such bytes, so
 * the cause is a bug or another program's file, never a caller's request.
 */
public final class DamagedEvent extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DamagedEvent(String message) {
    super(message);
  }
}
