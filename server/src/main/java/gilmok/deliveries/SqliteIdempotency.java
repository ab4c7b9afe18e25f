package gilmok.deliveries;

import gilmok.deliveries.DeliveryStore.Idempotency;
import gilmok.documents.Query;
import gilmok.documents.SqliteSession;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The idempotency keys of creations, kept for at least a day. Old entries are removed in small
 * steps as new ones are added, so there are never many more than a day brings. Owned by the
 * writer's thread.
 */
final class SqliteIdempotency {
  /** The least time an entry is kept. */
  static final long KEPT_MILLIS = 25 * 3_600_000L;

  /** After each {@value} additions, up to four times as many old entries are removed. */
  static final int STEP = 64;

  private static final String FIND =
      "SELECT body_hash, delivery_id FROM idempotency WHERE scope = ? AND key = ?";
  private static final String ADD =
      "INSERT INTO idempotency (scope, key, body_hash, delivery_id, at) VALUES (?, ?, ?, ?, ?)";
  private static final String REMOVE =
      "DELETE FROM idempotency WHERE (scope, key) IN"
          + " (SELECT scope, key FROM idempotency WHERE at < ? ORDER BY at LIMIT ?)";

  private int added;

  /** The outcome of a key's first use. */
  record Entry(String bodyHash, String deliveryId) {}

  /** All queries. */
  static List<Query> queries() {
    return List.of(
        Query.of("idempotency: one", FIND),
        Query.of("idempotency: add", ADD),
        Query.of("idempotency: remove old ones", REMOVE));
  }

  @Nullable Entry find(SqliteSession session, Idempotency by) throws SQLException {
    return session.first(
        row -> new Entry(row.getString(1), row.getString(2)), FIND, by.scope(), by.key());
  }

  void add(SqliteSession session, Idempotency by, String deliveryId, long now) throws SQLException {
    session.update(ADD, by.scope(), by.key(), by.bodyHash(), deliveryId, now);
    added++;
    if (added >= STEP) {
      added = 0;
      session.update(REMOVE, now - KEPT_MILLIS, 4 * STEP);
    }
  }
}
