package gilmok.audit;

import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * The audit in SQLite. Its table is made with the first entry: until then, an earlier version can
 * use the file. Thread-safe; calls block until the change is on disk.
 */
public record SqliteAudit(SqliteDatabase database) implements AuditStore {
  /** The name of the table. */
  public static final String TABLE = "audit";

  private static final List<String> SCHEMA =
      List.of(
          """
          CREATE TABLE IF NOT EXISTS audit (
            id TEXT PRIMARY KEY,
            key TEXT NOT NULL,
            expires_at INTEGER NOT NULL,
            json TEXT NOT NULL
          ) WITHOUT ROWID\
          """,
          "CREATE INDEX IF NOT EXISTS audit_of_key ON audit (key, id)",
          "CREATE INDEX IF NOT EXISTS audit_by_end ON audit (expires_at)");

  private static final String IS_THERE =
      "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'audit'";
  private static final String PUT =
      "INSERT INTO audit (id, key, expires_at, json) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO ";
  private static final String PUT_FIRST = PUT + "NOTHING";
  private static final String PUT_LAST = PUT + "UPDATE SET json = excluded.json";
  private static final String COLUMNS = "SELECT id, key, json, expires_at FROM audit";
  private static final String IN_RANGE =
      " id >= ? AND id < ? AND expires_at > ? ORDER BY id DESC LIMIT ?";
  private static final String PAGE = COLUMNS + " WHERE" + IN_RANGE;
  private static final String PAGE_OF_KEY = COLUMNS + " WHERE key = ? AND" + IN_RANGE;
  private static final String REMOVE =
      "DELETE FROM audit WHERE id IN"
          + " (SELECT id FROM audit WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)";

  /** All queries but the one that looks for the table. */
  public static List<Query> queries() {
    return List.of(
        Query.of("audit: put", PUT_FIRST),
        Query.of("audit: put what became of it", PUT_LAST),
        Query.of("audit: a page", PAGE),
        Query.of("audit: a page of a key", PAGE_OF_KEY),
        Query.of("audit: remove old ones", REMOVE));
  }

  @Override
  public void put(List<Row> rows, long nowMillis) throws IOException, InterruptedException {
    boolean _ =
        database.write(
            session -> {
              for (String statement : SCHEMA) {
                session.run(statement);
              }
              for (Row row : rows) {
                String put = row.isLast() ? PUT_LAST : PUT_FIRST;
                session.update(put, row.id(), row.key(), row.expiresAtMillis(), row.json());
              }
              session.update(REMOVE, nowMillis, ENTRIES_MAX);
              return true;
            });
  }

  @Override
  public List<Row> page(Question question, long nowMillis)
      throws IOException, InterruptedException {
    return database.read(
        session -> isThere(session) ? page(session, question, nowMillis) : List.of());
  }

  static boolean isThere(SqliteSession session) throws SQLException {
    return session.first(row -> true, IS_THERE) != null;
  }

  private static List<Row> page(SqliteSession session, Question question, long nowMillis)
      throws SQLException {
    String key = question.key();
    return key == null
        ? session.list(
            SqliteAudit::row,
            PAGE,
            question.fromId(),
            question.belowId(),
            nowMillis,
            question.limit())
        : session.list(
            SqliteAudit::row,
            PAGE_OF_KEY,
            key,
            question.fromId(),
            question.belowId(),
            nowMillis,
            question.limit());
  }

  private static Row row(ResultSet row) throws SQLException {
    return new Row(row.getString(1), row.getString(2), row.getString(3), row.getLong(4), false);
  }
}
