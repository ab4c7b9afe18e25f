package gilmok.documents;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Converts the current row of a result set. */
@FunctionalInterface
public interface SqliteRow<T> {
  /** Reads the columns of the current row. */
  T of(ResultSet row) throws SQLException;
}
