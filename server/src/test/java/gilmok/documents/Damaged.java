package gilmok.documents;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;

/** Does to a data folder's documents what nobody should. */
public final class Damaged {
  private Damaged() {}

  /** Runs a statement on them, of which no server is the owner now. */
  public static void by(Path folder, String sql) throws IOException, SQLException {
    Path file = folder.resolve(SqliteDatabase.FILE);
    try (SqliteSession session = SqliteSession.toWrite(file, Duration.ofSeconds(10))) {
      session.run(sql);
    }
  }
}
