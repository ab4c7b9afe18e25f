package gilmok.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A temporary folder for the data of one run. */
public final class ScratchFolder {
  private ScratchFolder() {}

  /**
   * Makes a new folder.
   *
   * @param parent the folder that contains it; null for the system's temporary folder
   */
  public static Path create(@Nullable Path parent, String prefix) throws IOException {
    Path folder = parent == null ? Path.of(System.getProperty("java.io.tmpdir")) : parent;
    return Files.createTempDirectory(Files.createDirectories(folder), prefix);
  }

  /** Deletes a folder and all in it. */
  public static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
