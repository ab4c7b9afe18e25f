package gilmok.runtime;

/** The version of the jar from which this runs. No state. */
public final class Version {
  private Version() {}

  /** The version in the jar's manifest; {@code development} when there is no jar. */
  public static String ofThis() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
