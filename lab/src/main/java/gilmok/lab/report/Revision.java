package gilmok.lab.report;

import gilmok.lab.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Describes the measured commit, for reports. Stateless. */
public final class Revision {
  private Revision() {}

  /**
   * The commit as git names it, and whether there are uncommitted changes; "unknown" without git.
   *
   * @param root the root of the repository
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
