package gilmok.auth;

import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import java.io.IOException;
import java.util.Collection;
import java.util.List;

/** Keys in SQLite. Thread-safe. */
public record SqliteKeys(SqliteDatabase database) implements KeyStore {
  private static final String ALL = "SELECT id, document FROM keys ORDER BY id";
  private static final String PUT = "INSERT OR REPLACE INTO keys (id, document) VALUES (?, ?)";
  private static final String REMOVE = "DELETE FROM keys WHERE id = ?";

  /** The queries that it sends to the database. */
  public static List<Query> queries() {
    return List.of(
        Query.ofAll("keys: all", ALL),
        Query.of("keys: put", PUT),
        Query.of("keys: remove", REMOVE));
  }

  @Override
  public List<Kept> all() throws IOException, InterruptedException {
    return database.list(row -> new Kept(row.getString(1), row.getString(2)), ALL);
  }

  @Override
  public void change(Collection<Kept> put, Collection<String> removed)
      throws IOException, InterruptedException {
    database.write(
        session -> {
          for (String id : removed) {
            session.update(REMOVE, id);
          }
          for (Kept key : put) {
            session.update(PUT, key.id(), key.json());
          }
          return put.size();
        });
  }

  /** Constant: only this process writes the file. */
  @Override
  public long revision() {
    return 0;
  }
}
