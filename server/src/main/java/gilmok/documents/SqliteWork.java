package gilmok.documents;

import java.sql.SQLException;

/**
 * What is to be done with a connection: read, or written. Its result sets are closed when it ends.
 */
@FunctionalInterface
public interface SqliteWork<T> {
  /**
   * Does it, on the thread that has the connection.
   *
   * @throws SQLException when the database fails; what a write has done so far is taken back
   */
  T run(SqliteSession session) throws SQLException;
}
