package gilmok.documents;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The tables and indexes that the migrations make, and what a file lacks of them. What else is
 * there is its owner's affair. Not thread-safe.
 */
final class SqliteCatalog {
  private SqliteCatalog() {}

  /** What is not as it has to be, and what to do, a line each; empty when all is well. */
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
          // An index alone: of a table SQLite writes the text anew when it is altered.
          faults.add(
              "%s: the index %s is \"%s\" and has to be \"%s\": drop it and make that one"
                  .formatted(file, item.name(), found.sql(), item.sql()));
        }
      }
    }
    return faults;
  }
}
