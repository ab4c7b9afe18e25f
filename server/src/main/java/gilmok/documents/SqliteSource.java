package gilmok.documents;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Where connections to one file come from: at the start, and again when one has failed.
 * Thread-safe.
 *
 * @param patience how long a connection waits for a lock that another one holds
 * @param folder makes the names beside the file durable
 */
record SqliteSource(Path file, Duration patience, Folder folder) {
  /** Who waits for the writer has been told so before the writer gives up: nothing is thrown. */
  private static final Duration LONGER = Duration.ofSeconds(1);

  /**
   * The folder of the file. SQLite forces it itself after it has made its log of writes, but goes
   * on without a word when it finds no descriptor to open the folder with; a power cut may take the
   * log's name then, with all that was committed to it. So it is held open, and forced by us.
   */
  interface Folder extends AutoCloseable {
    /** Makes the names in it durable. */
    void force() throws IOException;

    @Override
    void close() throws IOException;

    /** That one. */
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

  /** The connection that writes. */
  SqliteSession writer() throws IOException, SQLException {
    SqliteSession session = SqliteSession.toWrite(file, writersPatience());
    try {
      session.run("PRAGMA wal_autocheckpoint=0");
      session.ownTransactions();
      return session;
    } catch (SQLException | RuntimeException failed) {
      session.closeQuietly();
      throw failed;
    }
  }

  /** How long the writer waits for a lock. */
  Duration writersPatience() {
    return patience.plus(LONGER);
  }

  /** The connection that moves what was committed from SQLite's log into the file. */
  SqliteSession mover() throws IOException {
    return SqliteSession.toWrite(file, patience);
  }

  /** A connection that only reads. */
  SqliteSession reader() throws IOException {
    return SqliteSession.toRead(file, patience);
  }
}
