package gilmok.documents;

import java.sql.SQLException;

/** A read or a write on a connection. Its result sets are closed when it ends. */
@FunctionalInterface
public interface SqliteWork<T> {
  /**
   * Runs on the thread that has the connection.
   *
   * @throws SQLException when the database fails; a write is then rolled back
   */
  T run(SqliteSession session) throws SQLException;
}
