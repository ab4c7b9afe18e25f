package gilmok.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders with all that is in them. Blocks. No state. */
public final class FolderTree {
  private FolderTree() {}

  /** Deletes a folder and everything below it; does nothing when there is none. Not durable. */
  public static void delete(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    List<Path> deepestFirst;
    try (Stream<Path> walked = Files.walk(folder)) {
      deepestFirst = walked.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : deepestFirst) {
      Files.deleteIfExists(path);
    }
  }

  /** The folder that a path is in; the path itself when it is the root. */
  public static Path parent(Path path) {
    Path parent = path.getParent();
    return parent == null ? path : parent;
  }
}
