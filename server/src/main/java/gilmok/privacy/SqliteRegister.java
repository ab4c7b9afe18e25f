package gilmok.privacy;

import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
            who TEXT NOT NULL,
            what TEXT NOT NULL,
            purposes TEXT NOT NULL,
            basis TEXT NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            count INTEGER NOT NULL,
            node TEXT NOT NULL
          ) WITHOUT ROWID""",
          "CREATE INDEX IF NOT EXISTS register_of_rider ON register (rider, id)",
          "CREATE INDEX IF NOT EXISTS register_of_who ON register (who, id)",
          """
          CREATE TABLE IF NOT EXISTS pseudonyms (
            pseudonym TEXT PRIMARY KEY,
            rider TEXT NOT NULL
          ) WITHOUT ROWID""");

  private static final String IS_THERE =
      "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'pseudonyms'";
  private static final String FIELDS =
      "id, kind, rider, who, what, purposes, basis, first, last, count, node";
  private static final String INSERT =
      "INSERT INTO register (" + FIELDS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String PUT = INSERT + " ON CONFLICT (id) DO NOTHING";
  private static final String ADD =
      INSERT
          + " ON CONFLICT (id) DO UPDATE SET"
          + " first = min(first, excluded.first), last = max(last, excluded.last),"
          + " count = count + excluded.count";
  private static final String NAME =
      "INSERT INTO pseudonyms (pseudonym, rider) VALUES (?, ?) ON CONFLICT DO NOTHING";
  private static final String NAME_OF = "SELECT rider FROM pseudonyms WHERE pseudonym = ?";
  private static final String FORGET = "DELETE FROM pseudonyms WHERE pseudonym = ?";
  private static final String COLUMNS = "SELECT " + FIELDS + " FROM register WHERE";
  private static final String IN_RANGE =
      " id >= ? AND id < ? AND last >= ? AND first < ? ORDER BY id DESC LIMIT ?";
  private static final String PAGE = COLUMNS + IN_RANGE;
  private static final String PAGE_OF_RIDER = COLUMNS + " rider = ? AND" + IN_RANGE;
  private static final String PAGE_OF_WHO = COLUMNS + " who = ? AND" + IN_RANGE;
  private static final String PAGE_OF_BOTH = COLUMNS + " rider = ? AND who = ? AND" + IN_RANGE;
  private static final String REMOVE =
      "DELETE FROM register WHERE id IN (SELECT id FROM register WHERE id < ? ORDER BY id LIMIT ?)";

  /** All queries but the one that looks for the tables. */
  public static List<Query> queries() {
    return List.of(
        Query.of("register: add", ADD),
        Query.of("register: put", PUT),
        Query.of("register: name", NAME),
        Query.of("register: whose a pseudonym is", NAME_OF),
        Query.of("register: forget whose it is", FORGET),
        Query.of("register: a page", PAGE),
        Query.of("register: a page of a rider", PAGE_OF_RIDER),
        Query.of("register: a page of a key", PAGE_OF_WHO),
        Query.of("register: a page of a rider and a key", PAGE_OF_BOTH),
        Query.of("register: remove old ones", REMOVE));
  }

  @Override
  public void add(List<RegisterRow> rows, Map<String, String> names, List<RegisterRow> marks)
      throws IOException, InterruptedException {
    List<RegisterRow> all = new ArrayList<>(rows);
    all.addAll(marks);
    write(ADD, all, names);
  }

  @Override
  public void put(List<RegisterRow> rows) throws IOException, InterruptedException {
    write(PUT, rows, Map.of());
  }

  private void write(String statement, List<RegisterRow> rows, Map<String, String> names)
      throws IOException, InterruptedException {
    boolean _ =
        database.write(
            session -> {
              if (!isThere(session)) {
                for (String one : SCHEMA) {
                  session.run(one);
                }
              }
              for (Map.Entry<String, String> name : names.entrySet()) {
                session.update(NAME, name.getKey(), name.getValue());
              }
              for (RegisterRow row : rows) {
                session.update(
                    statement,
                    row.id(),
                    row.kind().label(),
                    row.rider(),
                    row.who(),
                    row.what(),
                    row.purposes(),
                    row.basis(),
                    row.span().fromMillis(),
                    row.span().toMillis(),
                    row.span().count(),
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
    String who = asked.who();
    if (rider == null && who == null) {
      return session.list(
          SqliteRegister::row,
          PAGE,
          asked.fromId(),
          asked.belowId(),
          asked.fromMillis(),
          asked.toMillis(),
          asked.limit());
    }
    if (rider != null && who != null) {
      return session.list(
          SqliteRegister::row,
          PAGE_OF_BOTH,
          rider,
          who,
          asked.fromId(),
          asked.belowId(),
          asked.fromMillis(),
          asked.toMillis(),
          asked.limit());
    }
    return session.list(
        SqliteRegister::row,
        who == null ? PAGE_OF_RIDER : PAGE_OF_WHO,
        who == null ? rider : who,
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
    return database.write(session -> isThere(session) ? session.update(FORGET, pseudonym) : 0);
  }

  @Override
  public int remove(String belowId) throws IOException, InterruptedException {
    return database.write(
        session -> isThere(session) ? session.update(REMOVE, belowId, ROWS_MAX) : 0);
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
        row.getString(6),
        row.getString(7),
        new RegisterRow.Span(row.getLong(8), row.getLong(9), row.getLong(10)),
        row.getString(11));
  }
}
