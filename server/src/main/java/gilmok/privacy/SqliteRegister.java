package gilmok.privacy;

import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The register in SQLite. Its tables are made with the first row: until then, an earlier version
 * can use the file. Thread-safe; calls block until the change is on disk.
 */
public record SqliteRegister(SqliteDatabase database) implements RegisterStore {
  /** The name of the table of rows. */
  public static final String TABLE = "register";

  private static final List<String> SCHEMA =
      List.of(
          """
          CREATE TABLE IF NOT EXISTS register (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            rider TEXT NOT NULL,
            key TEXT NOT NULL,
            what TEXT NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            count INTEGER NOT NULL,
            node TEXT NOT NULL
          ) WITHOUT ROWID""",
          "CREATE INDEX IF NOT EXISTS register_of_rider ON register (rider, id)",
          "CREATE INDEX IF NOT EXISTS register_of_key ON register (key, id)",
          """
          CREATE TABLE IF NOT EXISTS pseudonyms (
            pseudonym TEXT PRIMARY KEY,
            rider TEXT NOT NULL
          ) WITHOUT ROWID""");

  private static final String IS_THERE =
      "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'pseudonyms'";
  private static final String ADD =
      "INSERT INTO register (id, kind, rider, key, what, first, last, count, node)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
          + " first = min(first, excluded.first), last = max(last, excluded.last),"
          + " count = count + excluded.count";
  private static final String NAME =
      "INSERT INTO pseudonyms (pseudonym, rider) VALUES (?, ?) ON CONFLICT DO NOTHING";
  private static final String NAME_ANEW =
      "INSERT INTO pseudonyms (pseudonym, rider) VALUES (?, ?)"
          + " ON CONFLICT (pseudonym) DO UPDATE SET rider = excluded.rider"
          + " WHERE rider <> excluded.rider";
  private static final String NAME_OF =
      "SELECT rider FROM pseudonyms WHERE pseudonym = ? AND rider <> ''";
  private static final String COLUMNS =
      "SELECT id, kind, rider, key, what, first, last, count, node FROM register WHERE";
  private static final String IN_RANGE =
      " id >= ? AND id < ? AND last >= ? AND first < ? ORDER BY id DESC LIMIT ?";
  private static final String PAGE = COLUMNS + IN_RANGE;
  private static final String PAGE_OF_RIDER = COLUMNS + " rider = ? AND" + IN_RANGE;
  private static final String PAGE_OF_KEY = COLUMNS + " key = ? AND" + IN_RANGE;
  private static final String PAGE_OF_BOTH = COLUMNS + " rider = ? AND key = ? AND" + IN_RANGE;
  private static final String REMOVE =
      "DELETE FROM register WHERE id IN (SELECT id FROM register WHERE id < ? ORDER BY id LIMIT ?)";

  /** All queries but the one that looks for the tables. */
  public static List<Query> queries() {
    return List.of(
        Query.of("register: add", ADD),
        Query.of("register: name", NAME),
        Query.of("register: whose a pseudonym is", NAME_OF),
        Query.of("register: name anew, or forget whose it is", NAME_ANEW),
        Query.of("register: a page", PAGE),
        Query.of("register: a page of a rider", PAGE_OF_RIDER),
        Query.of("register: a page of a key", PAGE_OF_KEY),
        Query.of("register: a page of a rider and a key", PAGE_OF_BOTH),
        Query.of("register: remove old ones", REMOVE));
  }

  @Override
  public void add(List<RegisterRow> rows, Map<String, String> names)
      throws IOException, InterruptedException {
    boolean _ =
        database.write(
            session -> {
              makeTables(session);
              Set<String> collected = RegisterStore.collected(rows);
              for (Map.Entry<String, String> name : names.entrySet()) {
                String put = collected.contains(name.getKey()) ? NAME_ANEW : NAME;
                session.update(put, name.getKey(), name.getValue());
              }
              for (RegisterRow row : rows) {
                session.update(
                    ADD,
                    row.id(),
                    row.kind().label(),
                    row.rider(),
                    row.key(),
                    row.what(),
                    row.fromMillis(),
                    row.toMillis(),
                    row.count(),
                    row.node());
              }
              return true;
            });
  }

  @Override
  public List<RegisterRow> page(Question question) throws IOException, InterruptedException {
    return database.read(
        session -> isThere(session) ? page(session, question) : List.<RegisterRow>of());
  }

  private static List<RegisterRow> page(SqliteSession session, Question asked) throws SQLException {
    String rider = asked.rider();
    String key = asked.key();
    if (rider == null && key == null) {
      return session.list(
          SqliteRegister::row,
          PAGE,
          asked.fromId(),
          asked.belowId(),
          asked.fromMillis(),
          asked.toMillis(),
          asked.limit());
    }
    if (rider != null && key != null) {
      return session.list(
          SqliteRegister::row,
          PAGE_OF_BOTH,
          rider,
          key,
          asked.fromId(),
          asked.belowId(),
          asked.fromMillis(),
          asked.toMillis(),
          asked.limit());
    }
    return session.list(
        SqliteRegister::row,
        key == null ? PAGE_OF_RIDER : PAGE_OF_KEY,
        key == null ? rider : key,
        asked.fromId(),
        asked.belowId(),
        asked.fromMillis(),
        asked.toMillis(),
        asked.limit());
  }

  @Override
  public Map<String, String> names(Collection<String> pseudonyms)
      throws IOException, InterruptedException {
    return database.read(
        session -> {
          Map<String, String> names = new HashMap<>();
          if (isThere(session)) {
            for (String one : pseudonyms) {
              String rider = session.first(row -> row.getString(1), NAME_OF, one);
              if (rider != null) {
                names.put(one, rider);
              }
            }
          }
          return names;
        });
  }

  @Override
  public int forget(String pseudonym) throws IOException, InterruptedException {
    return database.write(session -> forget(session, pseudonym));
  }

  private static int forget(SqliteSession session, String pseudonym) throws SQLException {
    makeTables(session);
    boolean isKnown = session.first(row -> true, NAME_OF, pseudonym) != null;
    session.update(NAME_ANEW, pseudonym, FORGOTTEN);
    return isKnown ? 1 : 0;
  }

  @Override
  public int remove(String belowId) throws IOException, InterruptedException {
    return database.write(
        session -> isThere(session) ? session.update(REMOVE, belowId, ROWS_MAX) : 0);
  }

  private static void makeTables(SqliteSession session) throws SQLException {
    if (!isThere(session)) {
      for (String statement : SCHEMA) {
        session.run(statement);
      }
    }
  }

  private static boolean isThere(SqliteSession session) throws SQLException {
    return session.first(row -> true, IS_THERE) != null;
  }

  private static RegisterRow row(ResultSet row) throws SQLException {
    return new RegisterRow(
        row.getString(1),
        RegisterRow.Kind.of(row.getString(2)),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getLong(6),
        row.getLong(7),
        row.getLong(8),
        row.getString(9));
  }
}
