package gilmok.privacy;

import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Consents in SQLite. Their table is made with the first: until then, an earlier version can use
 * the file. Thread-safe; calls block until the change is on disk.
 */
public record SqliteConsents(SqliteDatabase database) implements ConsentStore {
  /** The name of the table. */
  public static final String TABLE = "consents";

  private static final String SCHEMA =
      """
      CREATE TABLE IF NOT EXISTS consents (
        rider TEXT PRIMARY KEY,
        state TEXT NOT NULL,
        purposes INTEGER NOT NULL,
        at INTEGER NOT NULL,
        key TEXT NOT NULL,
        high INTEGER,
        low INTEGER
      ) WITHOUT ROWID\
      """;

  private static final String IS_THERE =
      "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'consents'";
  private static final String PUT =
      "INSERT INTO consents (rider, state, purposes, at, key, high, low)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?)"
          + " ON CONFLICT (rider) DO UPDATE SET state = excluded.state,"
          + " purposes = excluded.purposes, at = excluded.at, key = excluded.key,"
          + " high = excluded.high, low = excluded.low";
  private static final String REMOVE = "DELETE FROM consents WHERE rider = ?";
  private static final String COLUMNS =
      "SELECT rider, state, purposes, at, key, high, low FROM consents";
  private static final String FIND = COLUMNS + " WHERE rider = ?";
  private static final String PAGE = COLUMNS + " WHERE rider > ? ORDER BY rider LIMIT ?";

  /** All queries but the one that looks for the table. */
  public static List<Query> queries() {
    return List.of(
        Query.of("consents: put", PUT),
        Query.of("consents: remove", REMOVE),
        Query.of("consents: find", FIND),
        Query.of("consents: a page", PAGE));
  }

  @Override
  public void put(Consent consent, String pseudonym) throws IOException, InterruptedException {
    boolean _ =
        database.write(
            session -> {
              session.run(SCHEMA);
              put(session, consent);
              session.update(REMOVE, pseudonym);
              return true;
            });
  }

  private static void put(SqliteSession session, Consent consent) throws SQLException {
    RiderDigest digest = consent.digest();
    session.update(
        PUT,
        consent.riderId(),
        consent.state().label(),
        consent.purposes(),
        consent.atMillis(),
        consent.keyId(),
        digest == null ? null : digest.high(),
        digest == null ? null : digest.low());
  }

  @Override
  public @Nullable Consent find(String riderId) throws IOException, InterruptedException {
    List<Consent> found =
        database.read(
            session ->
                isThere(session)
                    ? session.list(SqliteConsents::consent, FIND, riderId)
                    : List.<Consent>of());
    return found.isEmpty() ? null : found.getFirst();
  }

  @Override
  public Page page(@Nullable String after) throws IOException, InterruptedException {
    List<Consent> found =
        database.read(
            session ->
                isThere(session)
                    ? session.list(
                        SqliteConsents::consent, PAGE, after == null ? "" : after, PAGE_MAX)
                    : List.<Consent>of());
    return new Page(found, found.size() < PAGE_MAX ? null : found.getLast().riderId());
  }

  @Override
  public Changes changes(long sinceMillis) {
    return new Changes(List.of(), sinceMillis, true); // nobody else changes a node's own file
  }

  @Override
  public long newestMillis() {
    return 0;
  }

  @Override
  public int erase(String riderId, String pseudonym, RiderDigest digest)
      throws IOException, InterruptedException {
    return database.write(
        session -> {
          Consent known =
              isThere(session) ? session.first(SqliteConsents::consent, FIND, riderId) : null;
          if (known == null) {
            return 0;
          }
          put(session, known.erased(pseudonym, digest));
          return session.update(REMOVE, riderId);
        });
  }

  private static boolean isThere(SqliteSession session) throws SQLException {
    return session.first(row -> true, IS_THERE) != null;
  }

  private static Consent consent(ResultSet row) throws SQLException {
    long high = row.getLong(6);
    RiderDigest digest = row.wasNull() ? null : new RiderDigest(high, row.getLong(7));
    return new Consent(
        row.getString(1),
        Objects.requireNonNull(ConsentState.of(row.getString(2)), "a consent without a state"),
        row.getInt(3),
        row.getLong(4),
        row.getString(5),
        digest);
  }
}
