package gilmok.cli;

import java.io.Console;

/**
 * Whether the output goes to a terminal, which can show a line that changes, or to a file. From any
 * thread.
 */
public final class Terminal {
  private Terminal() {}

  /** Whether there is a terminal. */
  @SuppressWarnings("SystemConsoleNull") // JDK 25 gives null again where there is no terminal
  public static boolean isThere() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }
}
