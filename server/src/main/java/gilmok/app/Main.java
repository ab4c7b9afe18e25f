package gilmok.app;

import gilmok.cli.Commands;

/** The program. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(Commands.run(arguments));
  }
}
