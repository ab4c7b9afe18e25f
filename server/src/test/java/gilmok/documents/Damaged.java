package gilmok.documents;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;

/** Damages the documents in a data folder. */
public final class Damaged {
  private Damaged() {}

  /** Runs a statement on the database file, which no server may own at the time. */
  public static void by(Path folder, String sql) throws IOException, SQLException {
    Path file = folder.resolve(SqliteDatabase.FILE);
    try (SqliteSession session = SqliteSession.toWrite(file, Duration.ofSeconds(10))) {
      session.run(sql);
    }
  }
}
