package gilmok.deliveries;

import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import gilmok.documents.SqliteSpace;
import gilmok.retention.RemovalPlan;
import gilmok.retention.RemovalPlans;
import gilmok.retention.SqliteRemovalPlans;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Takes old deliveries out of SQLite. Thread-safe; calls block.
 *
 * @param recent the deliveries that are remembered, of which the removed must be forgotten
 */
public record SqliteRemoval(SqliteDatabase database, RecentDeliveries recent)
    implements DeliveryRemoval {
  private static final String ROW =
      "SELECT d.n, d.id, d.document, o.log_due IS NULL AND o.shop_due IS NULL"
          + " AND o.agency_due IS NULL, o.shop_told, o.shop_history, o.agency_told,"
          + " o.agency_history FROM deliveries d JOIN outbox o ON o.n = d.n";
  private static final String PAGE = ROW + " WHERE d.id > ? AND d.id < ? ORDER BY d.id LIMIT ?";
  private static final String ONE = ROW + " WHERE d.id = ?";
  private static final String DEAD_LETTERS =
      "SELECT sequence, attempts, error, at FROM set_aside"
          + " WHERE reader = ? AND partner_id = ? AND delivery_id = ? ORDER BY sequence";
  private static final String NO_DEAD_LETTERS =
      "DELETE FROM set_aside WHERE reader = ? AND partner_id = ? AND delivery_id = ?";
  private static final String NO_OUTBOX = "DELETE FROM outbox WHERE n = ?";
  private static final String NO_DELIVERY = "DELETE FROM deliveries WHERE n = ?";

  /** All queries. */
  public static List<Query> queries() {
    return List.of(
        Query.of("removal: old ones", PAGE),
        Query.of("removal: one", ONE),
        Query.of("removal: its dead letters", DEAD_LETTERS),
        Query.of("removal: remove its dead letters", NO_DEAD_LETTERS),
        Query.of("removal: remove its outbox", NO_OUTBOX),
        Query.of("removal: remove it", NO_DELIVERY));
  }

  @Override
  public RemovalPlans plans() {
    return new SqliteRemovalPlans(database, DeliveryRemoval.KIND);
  }

  @Override
  public Page<StoredDelivery> page(String after, long beforeMillis, int limit)
      throws IOException, InterruptedException {
    String below = DeliveryId.floor(beforeMillis);
    return database.read(
        session -> {
          List<StoredDelivery> found = new ArrayList<>();
          int unreadable = 0;
          String last = null;
          PreparedStatement select = session.prepare(PAGE, after, below, limit);
          try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
              last = rows.getString(2);
              try {
                found.add(stored(session, rows));
              } catch (RuntimeException | StackOverflowError damaged) {
                unreadable++;
              }
            }
          }
          return new Page<>(found, unreadable, last);
        });
  }

  @Override
  public List<StoredDelivery> find(List<String> ids) throws IOException, InterruptedException {
    return database.read(
        session -> {
          List<StoredDelivery> found = new ArrayList<>(ids.size());
          for (String id : ids) {
            Numbered one = find(session, id);
            if (one != null) {
              found.add(one.stored);
            }
          }
          found.sort(Comparator.comparing(one -> one.delivery().id()));
          return found;
        });
  }

  /** A delivery and the number of its row. */
  private record Numbered(long number, StoredDelivery stored) {}

  private static @Nullable Numbered find(SqliteSession session, String id) throws SQLException {
    try (ResultSet rows = session.prepare(ONE, id).executeQuery()) {
      return rows.next() ? new Numbered(rows.getLong(1), stored(session, rows)) : null;
    } catch (RuntimeException | StackOverflowError damaged) {
      return null; // it was readable when it was planned; a page counts it
    }
  }

  private static StoredDelivery stored(SqliteSession session, ResultSet row) throws SQLException {
    Delivery delivery = DeliveryReader.read(row.getBytes(3));
    return new StoredDelivery(
        delivery,
        delivery.events().size() * (Delivery.WAITING_MAX + 1L) + delivery.waiting().size(),
        row.getBoolean(4),
        progress(session, OutboxReader.SHOP, delivery, row.getInt(5), row.getString(6)),
        progress(session, OutboxReader.AGENCY, delivery, row.getInt(7), row.getString(8)));
  }

  private static RelayProgress progress(
      SqliteSession session,
      OutboxReader reader,
      Delivery delivery,
      int told,
      @Nullable String history)
      throws SQLException {
    List<RelayProgress.DeadLetter> deadLetters = new ArrayList<>();
    for (String partner : partners(reader, delivery)) {
      deadLetters.addAll(
          session.list(
              row ->
                  new RelayProgress.DeadLetter(
                      row.getInt(1), row.getInt(2), row.getString(3), row.getLong(4)),
              DEAD_LETTERS,
              reader.name(),
              partner,
              delivery.id()));
    }
    return new RelayProgress(told, WebhookAttempt.history(history), deadLetters);
  }

  /** All whom that reader has stood for while the delivery went its way. */
  private static Set<String> partners(OutboxReader reader, Delivery delivery) {
    Set<String> all = new TreeSet<>();
    all.add(Objects.requireNonNullElse(reader.partnerId(delivery), ""));
    if (reader == OutboxReader.AGENCY) {
      all.add("");
      for (DeliveryEvent event : delivery.events()) {
        String agency = event.details().agencyId();
        if (agency != null) {
          all.add(agency);
        }
      }
    }
    return all;
  }

  @Override
  public int remove(List<RemovalPlan.Row> rows) throws IOException, InterruptedException {
    return database.write(
        session -> {
          int removed = 0;
          for (RemovalPlan.Row row : rows) {
            removed += remove(session, row) ? 1 : 0;
          }
          return removed;
        });
  }

  private boolean remove(SqliteSession session, RemovalPlan.Row row) throws SQLException {
    Numbered one = find(session, row.id());
    if (one == null || one.stored.revision() != row.revision() || !one.stored.isTold()) {
      return false;
    }
    for (OutboxReader reader : List.of(OutboxReader.SHOP, OutboxReader.AGENCY)) {
      for (String partner : partners(reader, one.stored.delivery())) {
        session.update(NO_DEAD_LETTERS, reader.name(), partner, row.id());
      }
    }
    session.update(NO_OUTBOX, one.number);
    session.update(NO_DELIVERY, one.number);
    recent.forget(row.id());
    return true;
  }

  @Override
  public boolean shrink() throws IOException, InterruptedException {
    return database.write(SqliteSpace::giveBack);
  }
}
