package gilmok.event;

/**
 * Bytes that are no event: of a newer version, or damaged. Our own log never holds such a thing, so
 * it is a bug or another program's file, and never something a caller sent.
 */
public final class DamagedEvent extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DamagedEvent(String message) {
    super(message);
  }
}
