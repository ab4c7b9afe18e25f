package gilmok.auth;

import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Keys in SQLite. Thread-safe. */
public final class SqliteKeys implements KeyStore {
  private static final String ALL = "SELECT id, document FROM keys ORDER BY id";
  private static final String PUT = "INSERT OR REPLACE INTO keys (id, document) VALUES (?, ?)";
  private static final String REMOVE = "DELETE FROM keys WHERE id = ?";

  private final SqliteDatabase database;

  /** Keys in that database. */
  public SqliteKeys(SqliteDatabase database) {
    this.database = database;
  }

  /** What it asks the database. */
  public static List<Query> queries() {
    return List.of(
        Query.ofAll("keys: all", ALL),
        Query.of("keys: put", PUT),
        Query.of("keys: remove", REMOVE));
  }

  @Override
  public List<Kept> all() throws IOException, InterruptedException {
    return database.read(SqliteKeys::all);
  }

  private static List<Kept> all(SqliteSession session) throws SQLException {
    List<Kept> all = new ArrayList<>();
    try (ResultSet rows = session.prepare(ALL).executeQuery()) {
      while (rows.next()) {
        all.add(new Kept(rows.getString(1), rows.getString(2)));
      }
    }
    return all;
  }

  @Override
  public void change(Collection<Kept> put, Collection<String> removed)
      throws IOException, InterruptedException {
    database.write(
        session -> {
          PreparedStatement remove = session.prepare(REMOVE);
          for (String id : removed) {
            remove.setString(1, id);
            remove.executeUpdate();
          }
          PreparedStatement add = session.prepare(PUT);
          for (Kept key : put) {
            add.setString(1, key.id());
            add.setString(2, key.json());
            add.executeUpdate();
          }
          return put.size();
        });
  }

  /** The file is this process's alone. */
  @Override
  public long revision() {
    return 0;
  }
}
