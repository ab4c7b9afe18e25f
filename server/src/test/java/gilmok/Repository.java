package gilmok;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The checkout in which the tests run. */
public final class Repository {
  private static final Pattern IGNORED =
      Pattern.compile(
          "(.*/)?(target|node_modules|[.](schemathesis|git|idea|vscode|gradle))|data|lab/(results|data)");

  private Repository() {}

  /**
   * The checkout's top folder, the one with STYLE.md.
   *
   * @throws IllegalStateException outside a checkout
   */
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

  /** All regular files, relative to the top folder, without the folders that git ignores. */
  public static List<Path> files() throws IOException {
    Path root = root();
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return IGNORED.matcher(root.relativize(folder).toString()).matches()
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              files.add(root.relativize(file));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }
}
