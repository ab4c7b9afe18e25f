package gilmok.deliveries;

import gilmok.documents.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The statements over one reader's columns of the outbox. The comment of each lists its parameters,
 * then what it does. Immutable.
 */
final class SqliteReaderColumns {
  /** Room for the attempts that are kept, with errors of some length. */
  private static final int HISTORY_CHARS_MAX = 3_000;

  private static final String OF_ID = " WHERE n = (SELECT n FROM deliveries WHERE id = ?)";

  final OutboxReader reader;

  /** Shards, time, limit: selects documents that are due, and how far the reader has been sent. */
  final String due;

  /** No parameters: whether anything is pending, due or put off. */
  final String any;

  /**
   * Shards, now plus the clocks' tolerance, now plus the longest pause: whether anything is due too
   * late.
   */
  final String tooLate;

  /** As {@link #tooLate}, then now: makes those due now. */
  final String forward;

  /**
   * Sequence, now, id: notes events up to that sequence as sent; the delivery stays due if there
   * are more. Changes nothing if it is not due.
   */
  final String told;

  /** As {@link #told}, for an event that is given up: leaves the time of the last sending. */
  final String passed;

  /** Attempts, due, error, now, id: notes a failure. */
  final String failed;

  /** Id: selects the number of attempts. */
  final String attempts;

  /** Partner, first id, limit: selects rows and ids of the partner's deliveries from that id on. */
  final String since;

  /** Now, row: makes all events due again. */
  final String again;

  /** Partner, id before which, limit: selects deliveries with the state of their events. */
  final String webhooks;

  /** As {@link #webhooks}, only deliveries with pending events. */
  final String waiting;

  /** As {@link #webhooks}, only deliveries of which sending was attempted. */
  final String attempted;

  /** Id: selects the history. */
  final String history;

  /** Lines, id: adds lines to the history, and takes away what is over its bound. */
  final String attempt;

  /** Partner, most: counts deliveries with pending events. */
  final String count;

  /** Partner, now, limit: selects rows whose retry waits. */
  final String retries;

  /** Now, row: makes a row's retry due. */
  final String retryRow;

  /** Now, id: makes a delivery's retry due if it waits. */
  final String retryOne;

  SqliteReaderColumns(OutboxReader reader) {
    this.reader = reader;
    String p = reader.name().toLowerCase(Locale.ROOT) + "_";
    String partner = reader == OutboxReader.LOG ? "''" : "d." + p + "id";
    due =
        of(
            p,
            "SELECT d.document, o.@told, o.@attempts, o.@since, d.id, o.version FROM outbox o"
                + " JOIN deliveries d ON d.n = o.n"
                + " WHERE o.@due <= ?2 AND (?1 >> o.shard & 1) ORDER BY o.@due, o.shard LIMIT ?3");
    any = of(p, "SELECT 1 FROM outbox WHERE @due >= 0 LIMIT 1");
    String late = " WHERE (?1 >> shard & 1) AND @due > ?2 AND (@error IS NULL OR @due > ?3)";
    tooLate = of(p, "SELECT 1 FROM outbox" + late + " LIMIT 1");
    forward = of(p, "UPDATE outbox SET @due = ?4" + late);
    String pass =
        " @due = CASE WHEN min(?1, version) < version THEN"
            + " CASE WHEN @attempts > 0 THEN ?2 ELSE @due END END,"
            + " @told = min(?1, version), @attempts = 0, @since = 0, @error = NULL"
            + " WHERE n = (SELECT n FROM deliveries WHERE id = ?3) AND @told < min(?1, version)"
            + " AND @due IS NOT NULL";
    told = of(p, "UPDATE outbox SET @told_at = ?2," + pass);
    passed = of(p, "UPDATE outbox SET" + pass);
    failed =
        of(
            p,
            "UPDATE outbox SET @attempts = ?1, @due = ?2, @error = ?3,"
                + " @since = CASE WHEN @since = 0 THEN ?4 ELSE @since END"
                + " WHERE n = (SELECT n FROM deliveries WHERE id = ?5) AND @due IS NOT NULL");
    attempts = of(p, "SELECT @attempts FROM outbox" + OF_ID);
    since =
        "SELECT d.n, d.id FROM deliveries d WHERE "
            + partner
            + " = ? AND d.id >= ? ORDER BY d.id LIMIT ?";
    again =
        of(
            p,
            "UPDATE outbox SET @told = 0, @due = ?, @attempts = 0, @since = 0, @error = NULL"
                + " WHERE n = ?");
    String page =
        "SELECT d.document, o.@told, o.@due, o.@attempts, o.@error, o.@history, d.id"
            + " FROM deliveries d JOIN outbox o ON o.n = d.n WHERE "
            + partner
            + " = ? AND d.id < ?";
    String order = " ORDER BY d.id DESC LIMIT ?";
    webhooks = of(p, page + order);
    waiting = of(p, page + " AND o.@due IS NOT NULL" + order);
    attempted = of(p, page + " AND o.@history IS NOT NULL" + order);
    history = of(p, "SELECT @history FROM outbox" + OF_ID);
    attempt =
        of(
            p,
            "UPDATE outbox SET @history = substr(coalesce(@history, '') || ?, -"
                + HISTORY_CHARS_MAX
                + ")"
                + OF_ID);
    // The index of what is due is short, that of a partner's deliveries may be long.
    String pending =
        " FROM outbox o CROSS JOIN deliveries d ON d.n = o.n"
            + " WHERE o.@due >= 0 AND "
            + partner
            + " = ?";
    count = of(p, "SELECT count(*) FROM (SELECT 1" + pending + " LIMIT ?)");
    retries = of(p, "SELECT o.n" + pending + " AND o.@due > ? LIMIT ?");
    retryRow = of(p, "UPDATE outbox SET @due = ? WHERE n = ?");
    retryOne =
        of(
            p,
            "UPDATE outbox SET @due = ?1 WHERE n = (SELECT n FROM deliveries WHERE id = ?2)"
                + " AND @due > ?1");
  }

  /** All queries. */
  List<Query> queries() {
    String of = reader.name().toLowerCase(Locale.ROOT) + ": ";
    List<Query> all = new ArrayList<>(ofAll(of));
    if (reader != OutboxReader.LOG) { // the log is no partner
      all.addAll(ofPartners(of));
    }
    return all;
  }

  private List<Query> ofAll(String of) {
    return List.of(
        Query.of(of + "due", due),
        Query.of(of + "anything pending", any),
        Query.of(of + "due too late", tooLate),
        Query.of(of + "bring forward", forward),
        Query.of(of + "delivered", told),
        Query.of(of + "passed", passed),
        Query.of(of + "failed", failed),
        Query.of(of + "attempts", attempts),
        Query.of(of + "deliveries since", since),
        Query.of(of + "replay", again));
  }

  private List<Query> ofPartners(String of) {
    return List.of(
        Query.of(of + "webhooks", webhooks),
        Query.of(of + "webhooks that wait", waiting),
        Query.of(of + "webhooks that were attempted", attempted),
        Query.of(of + "history", history),
        Query.of(of + "attempt", attempt),
        Query.of(of + "pending", count),
        Query.of(of + "retries that wait", retries),
        Query.of(of + "retry now", retryRow),
        Query.of(of + "retry one now", retryOne));
  }

  private static String of(String prefix, String sql) {
    return sql.replace("@", prefix);
  }
}
