package gilmok.deliveries;

import gilmok.deliveries.Outbox.Reader;
import gilmok.documents.Query;
import java.util.List;
import java.util.Locale;

/**
 * The statements over one reader's columns of the outbox. The comment of each lists its parameters,
 * then what it does. Immutable.
 */
final class SqliteReaderColumns {
  private static final String OF_ID = " WHERE n = (SELECT n FROM deliveries WHERE id = ?)";

  final Reader reader;

  /** Shard, time, limit: selects documents that are due, and how far the reader has been sent. */
  final String due;

  /**
   * Shard, now plus the clocks' tolerance, now plus the longest pause: whether anything is due too
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
  final String tellings;

  /** As {@link #tellings}, only deliveries with pending events. */
  final String waiting;

  /** As {@link #tellings}, only deliveries of which an event was sent. */
  final String toldOnes;

  SqliteReaderColumns(Reader reader) {
    this.reader = reader;
    String p = reader.name().toLowerCase(Locale.ROOT) + "_";
    String partner = reader == Reader.LOG ? "''" : "d." + p + "id";
    due =
        of(
            p,
            "SELECT d.document, o.@told, o.@attempts, o.@since, d.id, o.version FROM outbox o"
                + " JOIN deliveries d ON d.n = o.n WHERE o.shard = ? AND o.@due <= ?"
                + " ORDER BY o.@due, o.n LIMIT ?");
    String late = " WHERE shard = ?1 AND @due > ?2 AND (@error IS NULL OR @due > ?3)";
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
        "SELECT d.document, o.@told, o.@told_at, o.@due, o.@attempts, o.@error, d.id"
            + " FROM deliveries d JOIN outbox o ON o.n = d.n WHERE "
            + partner
            + " = ? AND d.id < ?";
    String order = " ORDER BY d.id DESC LIMIT ?";
    tellings = of(p, page + order);
    waiting = of(p, page + " AND o.@due IS NOT NULL" + order);
    toldOnes = of(p, page + " AND o.@told > 0" + order);
  }

  /** All queries. */
  List<Query> queries() {
    String of = reader.name().toLowerCase(Locale.ROOT) + ": ";
    return List.of(
        Query.of(of + "due", due),
        Query.of(of + "due too late", tooLate),
        Query.of(of + "bring forward", forward),
        Query.of(of + "delivered", told),
        Query.of(of + "passed", passed),
        Query.of(of + "failed", failed),
        Query.of(of + "attempts", attempts),
        Query.of(of + "deliveries since", since),
        Query.of(of + "replay", again),
        Query.of(of + "webhooks", tellings),
        Query.of(of + "webhooks that wait", waiting),
        Query.of(of + "webhooks that were delivered", toldOnes));
  }

  private static String of(String prefix, String sql) {
    return sql.replace("@", prefix);
  }
}
