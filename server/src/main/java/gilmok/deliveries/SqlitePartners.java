package gilmok.deliveries;

import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Partners and leases in SQLite. Thread-safe; calls block until what was written is on disk. */
public final class SqlitePartners implements PartnerStore {
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

  /** Between secrets, and between events: neither can have it. */
  private static final String LINE = "\n";

  private final SqliteDatabase database;

  /** Partners in that database. */
  public SqlitePartners(SqliteDatabase database) {
    this.database = database;
  }

  /** What it asks the database. */
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
    database.write(
        session -> {
          PreparedStatement put = session.prepare(PUT);
          put.setString(1, partner.reader().name());
          put.setString(2, partner.id());
          put.setString(3, partner.url());
          put.setString(4, String.join(LINE, partner.secrets()));
          put.setString(5, String.join(LINE, partner.events()));
          put.setLong(6, partner.updatedAtMillis());
          return put.executeUpdate();
        });
  }

  @Override
  public Kept all() throws IOException, InterruptedException {
    return database.read(SqlitePartners::all);
  }

  @Override
  public @Nullable Partner find(Outbox.Reader reader, String id)
      throws IOException, InterruptedException {
    Optional<Partner> found =
        database.read(
            session -> {
              PreparedStatement find = session.prepare(FIND);
              find.setString(1, reader.name());
              find.setString(2, id);
              try (ResultSet row = find.executeQuery()) {
                return row.next() ? Optional.of(partner(row)) : Optional.empty();
              }
            });
    return found.orElse(null);
  }

  @Override
  public boolean lease(int shard, String holder, long nowMillis, long untilMillis)
      throws IOException, InterruptedException {
    return database.write(
        session -> {
          PreparedStatement lease = session.prepare(LEASE);
          lease.setInt(1, shard);
          lease.setString(2, holder);
          lease.setLong(3, untilMillis);
          lease.setLong(4, nowMillis);
          return lease.executeUpdate() > 0;
        });
  }

  @Override
  public void release(int shard, String holder) throws IOException, InterruptedException {
    database.write(session -> release(session, shard, holder));
  }

  private static int release(SqliteSession session, int shard, String holder) throws SQLException {
    PreparedStatement release = session.prepare(RELEASE);
    release.setInt(1, shard);
    release.setString(2, holder);
    return release.executeUpdate();
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
    Outbox.Reader reader = null;
    try {
      reader = Outbox.Reader.valueOf(row.getString(1));
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
