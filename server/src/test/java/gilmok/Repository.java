package gilmok;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The checkout that the tests run in. */
public final class Repository {
  private Repository() {}

  /** Its top folder. */
  public static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("STYLE.md"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException("not in a checkout");
      }
    }
    return folder;
  }

  /**
   * The files that are tracked or would be, relative to the root; without git, all but what is
   * built.
   */
  public static List<Path> files() throws IOException {
    Path root = root();
    Process git =
        new ProcessBuilder("git", "ls-files", "-z", "-co", "--exclude-standard")
            .directory(root.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    byte[] names;
    try (var out = git.getInputStream()) {
      names = out.readAllBytes();
    }
    if (git.onExit().join().exitValue() == 0) {
      return Arrays.stream(new String(names, StandardCharsets.UTF_8).split("\0"))
          .map(Path::of)
          .filter(file -> Files.isRegularFile(root.resolve(file)))
          .toList();
    }
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(root::relativize)
          .filter(file -> !file.toString().matches("(.*/)?(target|\\.git|data)/.*"))
          .toList();
    }
  }
}
