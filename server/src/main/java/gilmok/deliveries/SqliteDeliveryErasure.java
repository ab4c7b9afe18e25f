package gilmok.deliveries;

import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import gilmok.event.JsonBuffer;
import gilmok.event.RiderAlias;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The same of deliveries in SQLite, in pieces between which others write. Thread-safe; calls block.
 *
 * @param recent the deliveries that are remembered
 */
public record SqliteDeliveryErasure(SqliteDatabase database, RecentDeliveries recent)
    implements DeliveryErasure {
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

  /** Takes the rows of a piece that may have a rider in them. */
  @FunctionalInterface
  private interface Piece {
    void take(long after, long through) throws IOException, InterruptedException;
  }

  @Override
  public long rename(RiderAlias alias) throws IOException, InterruptedException {
    byte[] part = part(alias.id());
    long[] renamed = {0};
    pieces(
        part,
        (after, through) ->
            renamed[0] += database.write(session -> rename(session, alias, after, through, part)));
    return renamed[0];
  }

  @Override
  public void each(String riderId, Consumer<Delivery> taker)
      throws IOException, InterruptedException {
    byte[] part = part(riderId);
    pieces(
        part,
        (after, through) -> {
          for (Row row :
              database.list(SqliteDeliveryErasure::row, OF_RIDER, after, through, part)) {
            Delivery read = row.delivery();
            if (read != null && RenamedRider.isIn(riderId, read)) {
              taker.accept(read);
            }
          }
        });
  }

  /** A rider's id as it is within JSON. */
  private static byte[] part(String riderId) {
    JsonBuffer quoted = new JsonBuffer().string(riderId);
    return Arrays.copyOfRange(quoted.bytes(), 1, quoted.size() - 1);
  }

  private void pieces(byte[] part, Piece piece) throws IOException, InterruptedException {
    long last = Objects.requireNonNull(database.first(row -> row.getLong(1), LAST));
    for (long after = 0; after < last; after += PIECE_ROWS) {
      long through = Math.min(last, after + PIECE_ROWS);
      if (!database.list(row -> row.getLong(1), OF_RIDER, after, through, part).isEmpty()) {
        piece.take(after, through);
      }
    }
  }

  private long rename(
      SqliteSession session, RiderAlias alias, long after, long through, byte[] part)
      throws SQLException {
    RenamedRider renaming = new RenamedRider(alias);
    JsonFieldWriter json = new JsonFieldWriter();
    long renamed = 0;
    for (Row row : session.list(SqliteDeliveryErasure::row, OF_RIDER, after, through, part)) {
      renamed += rename(session, row, renaming, json) ? 1 : 0;
    }
    return renamed;
  }

  private static Row row(ResultSet found) throws SQLException {
    return new Row(found.getLong(1), found.getBytes(2), found.getString(3));
  }

  private boolean rename(
      SqliteSession session, Row row, RenamedRider renaming, JsonFieldWriter json)
      throws SQLException {
    Delivery before = row.delivery();
    if (before == null) {
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
  private record Row(long number, byte[] document, @Nullable String riderId) {
    /** Null when it cannot be read. */
    @Nullable Delivery delivery() {
      try {
        return DeliveryReader.read(document);
      } catch (RuntimeException | StackOverflowError damaged) {
        return null;
      }
    }
  }
}
