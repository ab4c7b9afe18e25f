package gilmok.deliveries;

import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Partners and leases in SQLite. Thread-safe; calls block until the change is on disk. */
public record SqlitePartners(SqliteDatabase database) implements PartnerStore {
  private static final String COLUMNS = "SELECT reader, id, url, secrets, events, updated_at";
  private static final String ALL = COLUMNS + " FROM partners ORDER BY reader, id";
  private static final String FIND = COLUMNS + " FROM partners WHERE reader = ? AND id = ?";
  private static final String PUT =
      "INSERT OR REPLACE INTO partners (reader, id, url, secrets, events, updated_at)"
          + " VALUES (?, ?, ?, ?, ?, ?)";
  private static final String LEASE =
      "INSERT INTO leases (shard, holder, until) VALUES (?1, ?2, ?3)"
          + " ON CONFLICT (shard) DO UPDATE SET holder = ?2, until = ?3"
          + " WHERE holder = ?2 OR until <= ?4";
  private static final String RELEASE = "DELETE FROM leases WHERE shard = ? AND holder = ?";

  /** Separates secrets, and event types; neither can contain it. */
  private static final String LINE = "\n";

  /** All queries. */
  public static List<Query> queries() {
    return List.of(
        Query.ofAll("partners: all", ALL),
        Query.of("partners: one", FIND),
        Query.of("partners: put", PUT),
        Query.of("leases: take", LEASE),
        Query.of("leases: release", RELEASE));
  }

  @Override
  public void put(Partner partner) throws IOException, InterruptedException {
    database.update(
        PUT,
        partner.reader().name(),
        partner.id(),
        partner.url(),
        String.join(LINE, partner.secrets()),
        String.join(LINE, partner.events()),
        partner.updatedAtMillis());
  }

  @Override
  public Kept all() throws IOException, InterruptedException {
    return database.read(SqlitePartners::all);
  }

  @Override
  public @Nullable Partner find(OutboxReader reader, String id)
      throws IOException, InterruptedException {
    return database.first(SqlitePartners::partner, FIND, reader.name(), id);
  }

  @Override
  public boolean lease(int shard, String holder, long nowMillis, long untilMillis)
      throws IOException, InterruptedException {
    return database.update(LEASE, shard, holder, untilMillis, nowMillis) > 0;
  }

  @Override
  public void release(int shard, String holder) throws IOException, InterruptedException {
    database.update(RELEASE, shard, holder);
  }

  private static Kept all(SqliteSession session) throws SQLException {
    List<Partner> partners = new ArrayList<>();
    List<UnreadablePartner> unreadable = new ArrayList<>();
    try (ResultSet rows = session.prepare(ALL).executeQuery()) {
      while (rows.next()) {
        try {
          partners.add(partner(rows));
        } catch (UnreadablePartner damaged) {
          unreadable.add(damaged);
        }
      }
    }
    return new Kept(partners, unreadable);
  }

  private static Partner partner(ResultSet row) throws SQLException {
    OutboxReader reader = null;
    try {
      reader = OutboxReader.valueOf(row.getString(1));
      return new Partner(
              row.getString(2),
              reader,
              row.getString(3),
              lines(row.getString(4)),
              lines(row.getString(5)),
              row.getLong(6))
          .checked();
    } catch (RuntimeException damaged) {
      throw new UnreadablePartner(reader, String.valueOf(row.getString(2)), damaged);
    }
  }

  private static List<String> lines(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(LINE, -1));
  }
}
