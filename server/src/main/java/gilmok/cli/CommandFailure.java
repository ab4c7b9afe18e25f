package gilmok.cli;

/**
 * A failure of a command that its user can mend. The message is the one line that is printed: what
 * is wrong, and what to do next.
 */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CommandFailure(String message) {
    super(message, null, false, false);
  }
}
