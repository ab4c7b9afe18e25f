package gilmok;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Programs of the machine that tests need and that no build brings. */
public final class Needed {
  private Needed() {}

  /**
   * Leaves the test out where a program is not on the PATH; in CI the test fails.
   *
   * @param debianPackage where Debian has it
   */
  public static void program(String name, String debianPackage) {
    String missing = name + " is missing: apt-get install " + debianPackage;
    boolean isThere = isThere(name);
    if (!isThere && System.getenv("CI") != null) {
      throw new AssertionError(missing);
    }
    Assumptions.assumeTrue(isThere, missing);
  }

  private static boolean isThere(String name) {
    for (String place : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      if (Files.isExecutable(Path.of(place, name))) {
        return true;
      }
    }
    return false;
  }
}
