package gilmok.runtime;

/** The version of the jar that this runs from. No state. */
public final class Version {
  private Version() {}

  /** As its manifest says it; where there is no jar: {@code development}. */
  public static String ofThis() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
