package gilmok.app;

import picocli.CommandLine;

/** The program. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new Serve())
            .execute(java.util.Arrays.copyOfRange(arguments, 1, arguments.length)));
  }

  /** The version of the jar this runs from. */
  static String version() {
    String version = Main.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
