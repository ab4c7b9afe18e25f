package gilmok.documents;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Checks that a file has the tables and indexes of the migrations. Anything else in it is the
 * operator's affair. Not thread-safe.
 */
final class SqliteCatalog {
  private SqliteCatalog() {}

  /**
   * The differences from the schema and how to repair them, a line each; empty when there are none.
   */
  static List<String> faults(Path file, SqliteSession session, List<List<String>> migrations)
      throws SQLException, IOException {
    Map<String, SqliteSession.Item> wanted;
    try (SqliteSession model = SqliteSession.inMemory()) {
      for (List<String> statements : migrations) {
        for (String statement : statements) {
          model.run(statement);
        }
      }
      wanted = model.catalog();
    }
    Map<String, SqliteSession.Item> there = session.catalog();
    List<String> faults = new ArrayList<>();
    for (SqliteSession.Item item : wanted.values()) {
      SqliteSession.Item found = there.get(item.name());
      if (!item.isIndex() && found == null) {
        faults.add(
            "%s lacks the table %s: put a backup of the file in its place"
                .formatted(file, item.name()));
      } else if (item.isIndex() && there.containsKey(item.table())) {
        if (found == null) {
          faults.add(
              "%s lacks the index %s of %s: make it (sqlite3 %s \"%s\")"
                  .formatted(file, item.name(), item.table(), file, item.sql()));
        } else if (!found.sql().equals(item.sql())) {
          // Only for indexes: SQLite rewrites a table's text when the table is altered.
          faults.add(
              "%s: the index %s is \"%s\" and has to be \"%s\": drop it and make that one"
                  .formatted(file, item.name(), found.sql(), item.sql()));
        }
      }
    }
    return faults;
  }
}
