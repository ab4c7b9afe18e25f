package gilmok.runtime;

import gilmok.observe.Meters;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** The version of the jar from which this runs, and what that was built from. No state. */
public final class Version {
  private static final String UNKNOWN = "unknown";

  private Version() {}

  /** The version in the jar's manifest; {@code development} when there is no jar. */
  public static String ofThis() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /** The commit that this was built from and its time, or that they are unknown; for people. */
  public static String origin() {
    return origin(classes());
  }

  /** The commit that this was built from; {@code unknown} when that is not known. */
  public static String commit() {
    return commit(classes());
  }

  /** When that commit was made; null when that is not known. */
  public static @Nullable Instant built() {
    return built(classes());
  }

  static @Nullable Instant built(Path classes) {
    String[] words = origin(classes).split(" ", -1);
    if (!words[0].equals("commit") || !words[2].equals("of")) {
      return null;
    }
    try {
      return OffsetDateTime.parse(words[3]).toInstant();
    } catch (DateTimeParseException unknown) {
      return null;
    }
  }

  private static Path classes() {
    String place = Version.class.getProtectionDomain().getCodeSource().getLocation().toString();
    return Path.of(URI.create(place));
  }

  static String commit(Path classes) {
    String[] words = origin(classes).split(" ", -1);
    return words[0].equals("commit") && words[2].equals("of") ? words[1] : UNKNOWN;
  }

  /** The same of a jar, or of a folder of classes, of which nothing is known. */
  static String origin(Path classes) {
    if (!classes.toFile().isFile()) {
      return "not from a jar";
    }
    try (JarFile jar = new JarFile(classes.toFile())) {
      Manifest manifest = jar.getManifest();
      Attributes entries = manifest == null ? new Attributes() : manifest.getMainAttributes();
      String commit = entries.getValue("Build-Commit");
      return commit == null || commit.equals(UNKNOWN)
          ? "commit unknown, built outside git"
          : "commit " + commit + " of " + entries.getValue("Build-Commit-Time");
    } catch (IOException unreadable) {
      return "commit unknown: " + unreadable.getMessage();
    }
  }

  /** Shows it in the metrics. */
  public static void show(Meters meters) {
    meters.info(
        "gilmok_build_info",
        "Version and commit of this server.",
        "version",
        ofThis(),
        "commit",
        commit());
  }
}
