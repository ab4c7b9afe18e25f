package gilmok.deliveries;

import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import gilmok.event.JsonBuffer;
import gilmok.event.RiderAlias;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Puts a rider's pseudonym into the deliveries in SQLite that the rider had a part in ({@link
 * RenamedRider}). Who has left a delivery is in its history alone, so all of them are looked at, in
 * pieces between which others write. Thread-safe; calls block.
 *
 * @param recent the deliveries that are remembered
 */
public record SqliteDeliveryErasure(SqliteDatabase database, RecentDeliveries recent) {
  private static final String LAST = "SELECT coalesce(max(n), 0) FROM deliveries";
  private static final String OF_RIDER =
      "SELECT n, document, rider_id FROM deliveries"
          + " WHERE n > ? AND n <= ? AND instr(document, ?) > 0 ORDER BY n";
  private static final String RENAME =
      "UPDATE deliveries SET document = ?, rider_id = ? WHERE n = ?";

  /** Rows that a piece looks at: some milliseconds. */
  private static final long PIECE_ROWS = 500;

  /** All queries. */
  public static List<Query> queries() {
    return List.of(
        Query.of("erasure: last delivery", LAST),
        Query.of("erasure: deliveries of a rider", OF_RIDER),
        Query.of("erasure: rename in a delivery", RENAME));
  }

  /** Renames; returns how many deliveries have changed. */
  public long rename(RiderAlias alias) throws IOException, InterruptedException {
    JsonBuffer quoted = new JsonBuffer().string(alias.id());
    byte[] part = Arrays.copyOfRange(quoted.bytes(), 1, quoted.size() - 1);
    long last = Objects.requireNonNull(database.first(row -> row.getLong(1), LAST));
    long renamed = 0;
    for (long from = 0; from < last; from += PIECE_ROWS) {
      long after = from;
      long through = Math.min(last, from + PIECE_ROWS);
      boolean isAny =
          !database.list(row -> row.getLong(1), OF_RIDER, after, through, part).isEmpty();
      if (isAny) {
        renamed += database.write(session -> rename(session, alias, after, through, part));
      }
    }
    return renamed;
  }

  private long rename(
      SqliteSession session, RiderAlias alias, long after, long through, byte[] part)
      throws SQLException {
    RenamedRider renaming = new RenamedRider(alias);
    JsonFieldWriter json = new JsonFieldWriter();
    long renamed = 0;
    for (Row row :
        session.list(
            found -> new Row(found.getLong(1), found.getBytes(2), found.getString(3)),
            OF_RIDER,
            after,
            through,
            part)) {
      renamed += rename(session, row, renaming, json) ? 1 : 0;
    }
    return renamed;
  }

  private boolean rename(
      SqliteSession session, Row row, RenamedRider renaming, JsonFieldWriter json)
      throws SQLException {
    Delivery before;
    try {
      before = DeliveryReader.read(row.document);
    } catch (RuntimeException | StackOverflowError damaged) {
      byte[] then = renaming.damaged(row.document);
      return then != null
          && session.update(RENAME, then, renaming.ofRider(row.riderId), row.number) > 0;
    }
    Delivery next = renaming.in(before);
    if (next.equals(before)) {
      return false;
    }
    session.update(RENAME, DeliveryWriter.json(next, json), next.riderId(), row.number);
    recent.wrote(session, row.number, next);
    return true;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(long number, byte[] document, @Nullable String riderId) {}
}
