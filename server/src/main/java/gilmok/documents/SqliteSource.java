package gilmok.documents;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Where connections to one file come from: at the start, and again when one has failed.
 * Thread-safe.
 *
 * @param patience how long a connection waits for a lock that another one holds
 */
record SqliteSource(Path file, Duration patience) {
  /** The connection that writes. */
  SqliteSession writer() throws IOException, SQLException {
    SqliteSession session = SqliteSession.toWrite(file, patience);
    try {
      session.run("PRAGMA wal_autocheckpoint=0");
      session.ownTransactions();
      return session;
    } catch (SQLException | RuntimeException failed) {
      SqliteDatabase.closeQuietly(session);
      throw failed;
    }
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
