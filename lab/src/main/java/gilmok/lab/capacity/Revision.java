package gilmok.lab.capacity;

import gilmok.lab.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Which commit is measured, for reports. No state. */
public final class Revision {
  private Revision() {}

  /**
   * As git names it, and whether there are changes that are in no commit; "unknown" without git.
   *
   * @param root the repository's
   */
  public static String describe(Path root) throws InterruptedException {
    try {
      Shell.Outcome git =
          Shell.run(List.of("git", "-C", root.toString(), "describe", "--always", "--dirty"));
      return git.status() == 0 ? git.text() : "unknown";
    } catch (IOException noGit) {
      return "unknown";
    }
  }
}
