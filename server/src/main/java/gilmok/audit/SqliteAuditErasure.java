package gilmok.audit;

import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import gilmok.event.RiderAlias;
import gilmok.event.RiderErasure;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/**
 * Puts a rider's pseudonym into the entries in SQLite that name the rider. All entries are looked
 * at, in pieces between which others write. Thread-safe; calls block.
 */
public record SqliteAuditErasure(SqliteDatabase database) {
  private static final String PAGE = "SELECT id, json FROM audit WHERE id > ? ORDER BY id LIMIT ?";
  private static final String RENAME = "UPDATE audit SET json = ? WHERE id = ? AND json = ?";
  private static final int PAGE_ROWS = 500;

  /** All queries; only where the table is there. */
  public static List<Query> queries() {
    return List.of(
        Query.of("erasure: all entries of the audit", PAGE),
        Query.of("erasure: rename in an entry of the audit", RENAME));
  }

  /** Renames; returns how many entries have changed. */
  public long rename(RiderAlias alias) throws IOException, InterruptedException {
    if (!database.read(SqliteAudit::isThere)) {
      return 0;
    }
    RiderErasure erasure = new RiderErasure(alias);
    long renamed = 0;
    String after = "";
    List<Row> page = page(after);
    while (!page.isEmpty()) {
      List<Row> found =
          page.stream().filter(row -> !erasure.renamed(row.json).equals(row.json)).toList();
      if (!found.isEmpty()) {
        renamed += database.write(session -> rename(session, erasure, found));
      }
      after = page.getLast().id;
      page = page(after);
    }
    return renamed;
  }

  private List<Row> page(String after) throws IOException, InterruptedException {
    return database.list(
        row -> new Row(row.getString(1), row.getString(2)), PAGE, after, PAGE_ROWS);
  }

  private static int rename(SqliteSession session, RiderErasure erasure, List<Row> found)
      throws SQLException {
    int renamed = 0;
    for (Row row : found) {
      renamed += session.update(RENAME, erasure.renamed(row.json), row.id, row.json);
    }
    return renamed;
  }

  private record Row(String id, String json) {}
}
