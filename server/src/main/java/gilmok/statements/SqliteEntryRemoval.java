package gilmok.statements;

import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import gilmok.documents.SqliteSpace;
import gilmok.retention.RemovalPlan;
import gilmok.retention.RemovalPlans;
import gilmok.retention.SqliteRemovalPlans;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes old entries out of SQLite. Thread-safe; calls block. */
public record SqliteEntryRemoval(SqliteDatabase database) implements EntryRemoval {
  private static final String NEXT_RIDER = "SELECT min(rider_id) FROM entries WHERE rider_id > ?";
  private static final String NO_ENTRY = "DELETE FROM entries WHERE id = ?";

  /** With its first entry: no statement of that day is answered any more. */
  private static final String NO_DAY = "DELETE FROM entry_days WHERE rider_id = ? AND day = ?";

  /** Riders that a page looks at, most of whom have nothing old. */
  private static final int RIDERS_MAX = 200;

  /** All queries. */
  public static List<Query> queries() {
    return List.of(
        Query.of("entries: next rider", NEXT_RIDER),
        Query.of("entries: remove one", NO_ENTRY),
        Query.of("statement: remove a day", NO_DAY));
  }

  @Override
  public RemovalPlans plans() {
    return new SqliteRemovalPlans(database, KIND);
  }

  @Override
  public Page<StatementEntry> page(String after, long beforeMillis, int limit)
      throws IOException, InterruptedException {
    long end = EntryRemoval.end(beforeMillis);
    return database.read(
        session -> {
          List<StatementEntry> found = new ArrayList<>(limit);
          EntryCursor at = EntryCursor.read(after);
          int unreadable = 0;
          for (int riders = 0; riders < RIDERS_MAX && found.size() < limit; riders++) {
            if (at.atMillis() == EntryCursor.DONE) {
              String next = session.first(row -> row.getString(1), NEXT_RIDER, at.riderId());
              if (next == null) {
                return new Page<>(found, unreadable, riders == 0 ? null : at.text());
              }
              at = new EntryCursor(next, Long.MIN_VALUE, "");
            }
            int left = limit - found.size();
            int rows = 0;
            EntryCursor behind = EntryCursor.behind(at.riderId());
            try (ResultSet row =
                session
                    .prepare(SqliteEntries.PAGE, at.riderId(), at.atMillis(), at.id(), end, left)
                    .executeQuery()) {
              for (; row.next(); rows++) {
                StatementEntry one = readable(row);
                unreadable += one == null ? 1 : 0;
                if (one != null) {
                  found.add(one);
                }
                if (rows == left - 1) {
                  behind = new EntryCursor(row.getString(2), row.getLong(3), row.getString(1));
                }
              }
            }
            at = behind;
          }
          return new Page<>(found, unreadable, at.text());
        });
  }

  private static @Nullable StatementEntry readable(ResultSet row) throws SQLException {
    try {
      return SqliteEntries.entry(row);
    } catch (RuntimeException damaged) {
      return null;
    }
  }

  @Override
  public List<StatementEntry> find(List<String> ids) throws IOException, InterruptedException {
    return database.read(
        session -> {
          List<StatementEntry> found = new ArrayList<>(ids.size());
          for (String id : ids) {
            StatementEntry one = find(session, id);
            if (one != null) {
              found.add(one);
            }
          }
          return found;
        });
  }

  private static @Nullable StatementEntry find(SqliteSession session, String id)
      throws SQLException {
    try (ResultSet row = session.prepare(SqliteEntries.FIND, id).executeQuery()) {
      return row.next() ? readable(row) : null;
    }
  }

  @Override
  public int remove(List<RemovalPlan.Row> rows) throws IOException, InterruptedException {
    return database.write(
        session -> {
          int removed = 0;
          for (RemovalPlan.Row row : rows) {
            StatementEntry one = find(session, row.id());
            if (one != null) {
              session.update(NO_DAY, one.riderId(), PackedEntries.day(one.atMillis()));
              removed += session.update(NO_ENTRY, one.id());
            }
          }
          return removed;
        });
  }

  @Override
  public boolean shrink() throws IOException, InterruptedException {
    return database.write(SqliteSpace::giveBack);
  }
}
