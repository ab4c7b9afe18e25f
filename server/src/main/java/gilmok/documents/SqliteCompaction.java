package gilmok.documents;

import gilmok.storage.OwnerOnly;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Writes the documents of a stopped server anew, without the room that removed ones have left. From
 * then on the file can be shortened in steps ({@link SqliteSpace}), as one that this version has
 * made. The new file is complete and durable before it takes the old one's place; until then it
 * needs as much disk as it will have. Stateless.
 */
public final class SqliteCompaction {
  /** The file that is being written; one that is left over is overwritten. */
  static final String NEXT = SqliteDatabase.FILE + ".next";

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private SqliteCompaction() {}

  /**
   * Compacts the file of a data folder whose lock the caller holds.
   *
   * @return its bytes before and after
   * @throws IOException when it is as it was
   */
  public static Sizes compact(Path folder) throws IOException {
    Path file = folder.resolve(SqliteDatabase.FILE);
    Path log = folder.resolve(SqliteDatabase.LOG_FILE);
    Path next = folder.resolve(NEXT);
    Files.deleteIfExists(next);
    Files.createFile(next, OwnerOnly.FILE);
    try {
      String damage = SqliteDatabase.logDamage(folder);
      if (damage != null) {
        throw new IOException(log + " is damaged: " + damage);
      }
      try (SqliteSession session = SqliteSession.toWrite(file, PATIENCE)) {
        session.run("PRAGMA auto_vacuum=" + SqliteSession.SHORTENABLE);
        session.run("VACUUM INTO '" + next.toString().replace("'", "''") + "'");
      }
      if (Files.exists(log) && Files.size(log) > 0) {
        throw new IOException(log + " is in use");
      }
      force(next);
      Sizes sizes = new Sizes(Files.size(file), Files.size(next));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
      force(folder);
      return sizes;
    } catch (SQLException e) {
      throw new IOException("cannot compact " + file + ": " + e.getMessage(), e);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  /** Bytes before and after. */
  public record Sizes(long before, long after) {}

  private static void force(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
