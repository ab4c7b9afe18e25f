package gilmok.app;

import gilmok.cli.Commands;

/** The program. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(
        Commands.run(
            arguments, new Serve(), new ShipCommand(), new DoctorCommand(), new PlannerCommand()));
  }

  /** The version of the jar this runs from. */
  static String version() {
    String version = Main.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
