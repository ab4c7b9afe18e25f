package gilmok.lab.capacity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Which commit is measured, for reports. No state. */
public final class Revision {
  private static final long WAIT_SECONDS = 10;

  private Revision() {}

  /**
   * As git names it, and whether there are changes that are in no commit; "unknown" without git.
   *
   * @param root the repository's
   */
  public static String describe(Path root) throws InterruptedException {
    try {
      Process git =
          new ProcessBuilder("git", "describe", "--always", "--dirty")
              .directory(root.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String name = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      boolean isNamed = git.waitFor(WAIT_SECONDS, TimeUnit.SECONDS) && git.exitValue() == 0;
      return isNamed ? name : "unknown";
    } catch (IOException noGit) {
      return "unknown";
    }
  }
}
