package gilmok.backup;

import gilmok.documents.SqliteDatabase;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which files of a data folder belong to a backup, apart from the log's segments and the documents.
 * No state.
 */
public final class BackupContents {
  /** Folders whose files belong to it; cursors come first, see the package's page. */
  public static final List<String> FOLDERS =
      List.of("cursors", "receipts", "snapshots", "jobs", "erasures", "register");

  /** What is written by itself: the lock, the node's file, a mark for people. */
  public static final Set<String> LEFT_OUT =
      Set.of(
          "gilmok.lock",
          "node",
          "drained",
          SqliteDatabase.FILE,
          SqliteDatabase.LOG_FILE,
          SqliteDatabase.FILE + "-shm");

  /**
   * The folder of documents that were archived and removed, unless a setting names another; its
   * files never change.
   */
  public static final String ARCHIVE = "archive";

  private BackupContents() {}

  /** The small files, relative to the folder, in the order in which they are copied. */
  public static List<Path> files(Path data) throws IOException {
    List<Path> all = new ArrayList<>();
    for (String folder : FOLDERS) {
      Path path = data.resolve(folder);
      if (Files.isDirectory(path)) {
        all.addAll(plainBelow(path));
      }
    }
    try (Stream<Path> listed = Files.list(data)) {
      listed.filter(BackupContents::isPlain).sorted().forEach(all::add);
    }
    return all.stream().map(data::relativize).filter(BackupContents::belongs).toList();
  }

  /**
   * The archived files, relative to the folder. Listed after the documents are copied: what was
   * removed from them is in a file then.
   */
  public static List<Path> archived(Path data) throws IOException {
    Path archive = data.resolve(ARCHIVE);
    if (!Files.isDirectory(archive)) {
      return List.of();
    }
    return plainBelow(archive).stream()
        .filter(path -> !path.getFileName().toString().startsWith("."))
        .map(data::relativize)
        .toList();
  }

  /** Files below a folder in which files get other names meanwhile, sorted. */
  private static List<Path> plainBelow(Path folder) throws IOException {
    List<Path> all = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              all.add(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failed) throws IOException {
            if (failed instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE; // it has its name by now, or was deleted
            }
            throw failed;
          }
        });
    all.sort(null);
    return all;
  }

  private static boolean isPlain(Path path) {
    return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
  }

  private static boolean belongs(Path within) {
    return !LEFT_OUT.contains(within.toString())
        && !within.toString().endsWith(".tmp")
        // A restored log has a mark of its own there.
        && !within.equals(Path.of("snapshots", "sequences"));
  }
}
