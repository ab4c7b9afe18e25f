package gilmok.cli;

import java.io.Console;

/** Where a command's words are read: people like a line that changes, files do not. */
public final class Terminal {
  private Terminal() {}

  /** Whether a person is looking. */
  @SuppressWarnings("SystemConsoleNull") // JDK 25 gives null again where there is no terminal
  public static boolean isThere() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }
}
