package gilmok.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/**
 * Writes the file of running documents anew, by SQLite's {@code VACUUM}, and cuts its write-ahead
 * log to nothing. An update leaves what was there before in unused parts of the file and in the
 * log; an erasure must not. A crash leaves the file as it was, or as it is then. Belongs to the
 * writer's thread; no state.
 *
 * <p>Source: <a href="https://www.sqlite.org/lang_vacuum.html">VACUUM</a>.
 */
final class SqliteRewriting {
  /** What it needs at most beside the file: a copy of it, and the same once more in the log. */
  private static final int COPIES = 2;

  private static final long SPARE_BYTES = 64L << 20;

  private SqliteRewriting() {}

  /** Does it; true. */
  static boolean run(SqliteSource source) throws IOException, SQLException {
    Path file = source.file().toAbsolutePath();
    Path folder = file.getParent();
    long needed = COPIES * Files.size(file) + SPARE_BYTES;
    long free = Files.getFileStore(file).getUsableSpace();
    if (free < needed) {
      throw new IOException("it needs %,d bytes, and %,d are free".formatted(needed, free));
    }
    try (SqliteSession session = source.mover()) {
      session.run("PRAGMA temp_store=FILE"); // in memory it would be as large as the file
      session.run("PRAGMA temp_store_directory='" + folder.toString().replace("'", "''") + "'");
      session.runToItsEnd("VACUUM");
      SqliteWal wal = session.checkpoint(SqliteWal.Mode.TRUNCATE);
      if (wal.pages() > 0) {
        throw new IOException("a long read needs its log");
      }
      return true;
    }
  }
}
