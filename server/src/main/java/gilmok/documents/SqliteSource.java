package gilmok.documents;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Opens the connections to one file: at the start, and again after a failure. Thread-safe.
 *
 * @param patience how long a connection waits for another one's lock
 * @param folder makes the file names in the folder durable
 * @param bounds of its write-ahead log
 */
record SqliteSource(Path file, Duration patience, Folder folder, SqliteWalBounds bounds) {
  /**
   * Added to the writer's wait for a lock, so that its callers have timed out before the wait
   * fails.
   */
  private static final Duration LONGER = Duration.ofSeconds(1);

  /**
   * The folder of the file. SQLite syncs the folder itself after it has created its write-ahead
   * log. But if it can get no file descriptor for that, it silently goes on, and a power cut may
   * then remove the log's name with all that was committed to it. So the folder is kept open and
   * synced here.
   */
  interface Folder extends AutoCloseable {
    /** Syncs the folder: makes the names in it durable. */
    void force() throws IOException;

    @Override
    void close() throws IOException;

    /** The folder at that path. */
    static Folder open(Path path) throws IOException {
      FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
      return new Folder() {
        @Override
        public void force() throws IOException {
          channel.force(true);
        }

        @Override
        public void close() throws IOException {
          channel.close();
        }
      };
    }
  }

  /** Opens the connection that writes. */
  SqliteSession writer() throws IOException, SQLException {
    SqliteSession session = SqliteSession.toWrite(file, writersPatience());
    try {
      limitLog(session);
      session.ownTransactions();
      return session;
    } catch (SQLException | RuntimeException failed) {
      session.closeQuietly();
      throw failed;
    }
  }

  /**
   * Leaves checkpoints to {@code SqliteCheckpoints}, and has the first commit of a log that has
   * begun anew cut its file to a usual size, as a peak would otherwise keep its disk for ever.
   */
  void limitLog(SqliteSession session) throws SQLException {
    session.run("PRAGMA wal_autocheckpoint=0");
    session.run("PRAGMA journal_size_limit=" + bounds.usualBytes());
    overwriteRemoved(session);
  }

  /** Has what is removed from a page overwritten, at no more writes to the disk. */
  private static void overwriteRemoved(SqliteSession session) throws SQLException {
    session.run("PRAGMA secure_delete=FAST");
  }

  /** How long the writer waits for a lock. */
  Duration writersPatience() {
    return patience.plus(LONGER);
  }

  /** Opens the connection for checkpoints. */
  SqliteSession mover() throws IOException {
    return SqliteSession.toWrite(file, patience);
  }

  /** Opens a connection that only reads. */
  SqliteSession reader() throws IOException {
    return SqliteSession.toRead(file, patience);
  }
}
