package gilmok.statements;

import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import gilmok.event.RiderAlias;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/**
 * Puts a rider's pseudonym into the rider's entries in SQLite, and into the sums that are encoded
 * beside them: what was paid must be kept, and adds up to the same. A pseudonym can have entries
 * already, of a rider who came back and is erased once more. Thread-safe; calls block.
 */
public record SqliteEntryErasure(SqliteDatabase database) {
  private static final String RENAME =
      "UPDATE entries SET rider_id = ? WHERE id IN"
          + " (SELECT id FROM entries WHERE rider_id = ? LIMIT ?)";
  private static final String PARTS =
      "SELECT day, currency, part, packed FROM entry_days WHERE rider_id = ?"
          + " ORDER BY day, currency, part LIMIT ?";
  private static final String ADD_PART =
      "INSERT INTO entry_days (rider_id, day, currency, part, packed) VALUES (?, ?, ?,"
          + " (SELECT coalesce(max(part) + 1, 0) FROM entry_days"
          + " WHERE rider_id = ? AND day = ? AND currency = ?), ?)";
  private static final String NO_PART =
      "DELETE FROM entry_days WHERE rider_id = ? AND day = ? AND currency = ? AND part = ?";

  /** Limits how long other writes, as moves of deliveries, wait: some milliseconds. */
  private static final int PIECE_ROWS = 100;

  /** All queries. */
  public static List<Query> queries() {
    return List.of(
        Query.of("erasure: rename in entries", RENAME),
        Query.of("erasure: encoded entries of a rider", PARTS),
        Query.of("erasure: put encoded entries", ADD_PART),
        Query.of("erasure: remove encoded entries", NO_PART));
  }

  /** Renames; returns how many entries have changed. */
  public long rename(RiderAlias alias) throws IOException, InterruptedException {
    long renamed = 0;
    int piece;
    do {
      piece =
          database.write(
              session -> session.update(RENAME, alias.pseudonym(), alias.id(), PIECE_ROWS));
      renamed += piece;
    } while (piece > 0);
    do {
      piece = database.write(session -> renameParts(session, alias));
    } while (piece > 0);
    return renamed;
  }

  private static int renameParts(SqliteSession session, RiderAlias alias) throws SQLException {
    List<Part> parts =
        session.list(
            row -> new Part(row.getLong(1), row.getString(2), row.getInt(3), row.getBytes(4)),
            PARTS,
            alias.id(),
            PIECE_ROWS);
    for (Part part : parts) {
      String by = alias.pseudonym();
      session.update(
          ADD_PART, by, part.day, part.currency, by, part.day, part.currency, part.packed);
      session.update(NO_PART, alias.id(), part.day, part.currency, part.number);
    }
    return parts.size();
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Part(long day, String currency, int number, byte[] packed) {}
}
