package gilmok.retention;

import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table {@code retention} in SQLite. Only one process has the file, so the lease is
 * always its own. Thread-safe; calls block.
 *
 * @param kind of the documents
 */
public record SqliteRemovalPlans(SqliteDatabase database, String kind) implements RemovalPlans {
  /** The table of what is being removed; not there before a server of this version has started. */
  public static final String TABLE = "retention";

  private static final String PLAN = "SELECT plan FROM retention WHERE kind = ?";
  private static final String PUT =
      "INSERT INTO retention (kind, removed_to, plan) VALUES (?1, ?2, ?3)"
          + " ON CONFLICT (kind) DO UPDATE SET removed_to = max(removed_to, ?2), plan = ?3";
  private static final String REACH =
      "INSERT INTO retention (kind, removed_to) VALUES (?1, ?2)"
          + " ON CONFLICT (kind) DO UPDATE SET removed_to = max(removed_to, ?2)";
  private static final String FORGET = "UPDATE retention SET plan = NULL WHERE kind = ?";
  private static final String REMOVED_TO = "SELECT removed_to FROM retention WHERE kind = ?";

  /** All queries. */
  public static List<Query> queries() {
    return List.of(
        Query.of("removal: the plan", PLAN),
        Query.of("removal: plan", PUT),
        Query.of("removal: count as removed", REACH),
        Query.of("removal: forget the plan", FORGET),
        Query.of("removal: how far", REMOVED_TO));
  }

  @Override
  public boolean lead(String node, long nowMillis, long untilMillis) {
    return true;
  }

  @Override
  public @Nullable RemovalPlan plan() throws IOException, InterruptedException {
    String text = database.first(row -> row.getString(1), PLAN, kind);
    return text == null ? null : RemovalPlan.read(text);
  }

  @Override
  public void put(RemovalPlan plan, String removedTo) throws IOException, InterruptedException {
    database.update(PUT, kind, removedTo, plan.text());
  }

  @Override
  public void reach(String removedTo) throws IOException, InterruptedException {
    database.update(REACH, kind, removedTo);
  }

  @Override
  public void forget() throws IOException, InterruptedException {
    database.update(FORGET, kind);
  }

  @Override
  public boolean isBehind() {
    return database.isBehind();
  }

  @Override
  public String removedTo() throws IOException, InterruptedException {
    String to = database.first(row -> row.getString(1), REMOVED_TO, kind);
    return to == null ? "" : to;
  }

  /** {@link #removedTo}, as of a transaction that goes on. */
  public static String removedTo(SqliteSession session, String kind) throws SQLException {
    String to = session.first(row -> row.getString(1), REMOVED_TO, kind);
    return to == null ? "" : to;
  }
}
