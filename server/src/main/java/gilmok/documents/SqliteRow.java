package gilmok.documents;

import java.sql.ResultSet;
import java.sql.SQLException;

/** What is made of a row that an answer stands at. */
@FunctionalInterface
public interface SqliteRow<T> {
  /** Reads its columns. */
  T of(ResultSet row) throws SQLException;
}
