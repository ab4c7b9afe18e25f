package gilmok.documents;

import java.util.List;

/**
 * The schema of {@code documents.db}, for all features, as the file has one version: {@code
 * user_version} counts the migrations that were run. A released migration never changes; a change
 * of the schema is a new one.
 */
final class SqliteSchema {
  static final List<List<String>> MIGRATIONS =
      List.of(deliveries(), keys(), entries(), missions(), attempts(), dueByTime());

  /**
   * What is made at each start if it is not there, and does not count as a version: a program that
   * does not know it leaves it alone, and opens the file as before.
   */
  static final List<String> ADDITIONS =
      List.of(
          // How far old documents of a kind were removed, and what is being removed.
          """
          CREATE TABLE IF NOT EXISTS retention (
            kind TEXT PRIMARY KEY,
            removed_to TEXT NOT NULL,
            plan TEXT
          ) WITHOUT ROWID""");

  private SqliteSchema() {}

  /**
   * A delivery is a document, with columns only for lookups. Its outbox is a small row of its own
   * under the same number, as that is written three times as often. For each reader it says how far
   * events were sent, since when something is due (null: nothing), and how sending has failed.
   */
  private static List<String> deliveries() {
    return List.of(
        """
        CREATE TABLE deliveries (
          n INTEGER PRIMARY KEY,
          id TEXT NOT NULL UNIQUE,
          shop_id TEXT NOT NULL,
          order_id TEXT NOT NULL,
          agency_id TEXT,
          rider_id TEXT,
          status TEXT NOT NULL,
          document BLOB NOT NULL,
          UNIQUE (shop_id, order_id)
        )""",
        "CREATE INDEX deliveries_of_shop ON deliveries (shop_id, id)",
        "CREATE INDEX deliveries_of_agency ON deliveries (agency_id, id)"
            + " WHERE agency_id IS NOT NULL",
        "CREATE INDEX deliveries_of_rider ON deliveries (rider_id, id)"
            + " WHERE rider_id IS NOT NULL",
        "CREATE INDEX deliveries_in_status ON deliveries (status, id)",
        """
        CREATE TABLE outbox (
          n INTEGER PRIMARY KEY,
          shard INTEGER NOT NULL,
          version INTEGER NOT NULL,
          log_told INTEGER NOT NULL DEFAULT 0,
          log_told_at INTEGER NOT NULL DEFAULT 0,
          log_due INTEGER,
          log_attempts INTEGER NOT NULL DEFAULT 0,
          log_since INTEGER NOT NULL DEFAULT 0,
          log_error TEXT,
          shop_told INTEGER NOT NULL DEFAULT 0,
          shop_told_at INTEGER NOT NULL DEFAULT 0,
          shop_due INTEGER,
          shop_attempts INTEGER NOT NULL DEFAULT 0,
          shop_since INTEGER NOT NULL DEFAULT 0,
          shop_error TEXT,
          agency_told INTEGER NOT NULL DEFAULT 0,
          agency_told_at INTEGER NOT NULL DEFAULT 0,
          agency_due INTEGER,
          agency_attempts INTEGER NOT NULL DEFAULT 0,
          agency_since INTEGER NOT NULL DEFAULT 0,
          agency_error TEXT
        )""",
        "CREATE INDEX log_due ON outbox (shard, log_due) WHERE log_due IS NOT NULL",
        "CREATE INDEX shop_due ON outbox (shard, shop_due) WHERE shop_due IS NOT NULL",
        "CREATE INDEX agency_due ON outbox (shard, agency_due) WHERE agency_due IS NOT NULL",
        """
        CREATE TABLE set_aside (
          reader TEXT NOT NULL,
          partner_id TEXT NOT NULL,
          delivery_id TEXT NOT NULL,
          sequence INTEGER NOT NULL,
          type TEXT NOT NULL,
          attempts INTEGER NOT NULL,
          error TEXT NOT NULL,
          at INTEGER NOT NULL,
          PRIMARY KEY (reader, partner_id, delivery_id, sequence)
        ) WITHOUT ROWID""",
        """
        CREATE TABLE idempotency (
          scope TEXT NOT NULL,
          key TEXT NOT NULL,
          body_hash TEXT NOT NULL,
          delivery_id TEXT NOT NULL,
          at INTEGER NOT NULL,
          PRIMARY KEY (scope, key)
        ) WITHOUT ROWID""",
        "CREATE INDEX idempotency_by_age ON idempotency (at)",
        """
        CREATE TABLE partners (
          reader TEXT NOT NULL,
          id TEXT NOT NULL,
          url TEXT NOT NULL,
          secrets TEXT NOT NULL,
          events TEXT NOT NULL,
          updated_at INTEGER NOT NULL,
          PRIMARY KEY (reader, id)
        ) WITHOUT ROWID""",
        """
        CREATE TABLE leases (
          shard INTEGER PRIMARY KEY,
          holder TEXT NOT NULL,
          until INTEGER NOT NULL
        )""");
  }

  /** A key is a document, looked up only by its id: all keys are in memory. */
  private static List<String> keys() {
    return List.of("CREATE TABLE keys (id TEXT PRIMARY KEY, document TEXT NOT NULL) WITHOUT ROWID");
  }

  /**
   * Entries in the order in which a rider's are listed; and the sums for statements, encoded into
   * one row for each day, so that a statement does not read a row for each entry.
   */
  private static List<String> entries() {
    return List.of(
        """
        CREATE TABLE entries (
          id TEXT NOT NULL UNIQUE,
          rider_id TEXT NOT NULL,
          at INTEGER NOT NULL,
          kind TEXT NOT NULL,
          amount INTEGER NOT NULL,
          currency TEXT NOT NULL,
          delivery_id TEXT,
          distance INTEGER NOT NULL,
          PRIMARY KEY (rider_id, at, id)
        ) WITHOUT ROWID""",
        """
        CREATE TABLE entry_days (
          rider_id TEXT NOT NULL,
          day INTEGER NOT NULL,
          currency TEXT NOT NULL,
          part INTEGER NOT NULL,
          packed BLOB NOT NULL,
          PRIMARY KEY (rider_id, day, currency, part)
        ) WITHOUT ROWID""");
  }

  /**
   * Missions and the count of their changes; riders' profiles and progress, clustered by rider.
   * JSON is stored as text.
   */
  private static List<String> missions() {
    return List.of(
        "CREATE TABLE missions (id TEXT NOT NULL UNIQUE, json TEXT NOT NULL)",
        "CREATE TABLE mission_changes (n INTEGER PRIMARY KEY, count INTEGER NOT NULL)",
        """
        CREATE TABLE mission_progress (
          rider_id TEXT NOT NULL,
          mission_id TEXT NOT NULL,
          version INTEGER NOT NULL,
          settled_at INTEGER NOT NULL DEFAULT 0,
          json TEXT NOT NULL,
          PRIMARY KEY (rider_id, mission_id)
        ) WITHOUT ROWID""",
        "CREATE TABLE profiles (rider_id TEXT NOT NULL UNIQUE, json TEXT NOT NULL)");
  }

  /** The last attempts to send a partner a delivery's events, a line each. */
  private static List<String> attempts() {
    return List.of(
        "ALTER TABLE outbox ADD COLUMN shop_history TEXT",
        "ALTER TABLE outbox ADD COLUMN agency_history TEXT");
  }

  /**
   * What is due, by time and not by shard: what becomes due, and what was sent, is then on one page
   * of the index and not on one of each shard.
   */
  private static List<String> dueByTime() {
    return List.of(
        "DROP INDEX log_due",
        "DROP INDEX shop_due",
        "DROP INDEX agency_due",
        "CREATE INDEX log_due ON outbox (log_due, shard) WHERE log_due IS NOT NULL",
        "CREATE INDEX shop_due ON outbox (shop_due, shard) WHERE shop_due IS NOT NULL",
        "CREATE INDEX agency_due ON outbox (agency_due, shard) WHERE agency_due IS NOT NULL");
  }
}
