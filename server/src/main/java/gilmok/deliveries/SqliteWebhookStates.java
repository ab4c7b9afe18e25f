package gilmok.deliveries;

import gilmok.deliveries.Outbox.State;
import gilmok.deliveries.Outbox.Telling;
import gilmok.documents.Query;
import gilmok.documents.SqliteSession;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists the states of a partner's webhooks: sent, waiting and given up. For one read transaction.
 */
record SqliteWebhookStates(SqliteSession session, SqliteReaderColumns columns, String partnerId) {
  /** Sorts above every id. */
  private static final String END = "~";

  private static final String ASIDE =
      "SELECT delivery_id, sequence, type, attempts, error, at FROM set_aside"
          + " WHERE reader = ? AND partner_id = ? AND delivery_id < ?"
          + " ORDER BY delivery_id DESC, sequence DESC";
  private static final String ASIDE_OF_ONE =
      "SELECT delivery_id, sequence, type, attempts, error, at FROM set_aside"
          + " WHERE reader = ? AND partner_id = ? AND delivery_id = ?";

  /** All queries besides those of the reader's columns. */
  static List<Query> queries() {
    return List.of(
        Query.of("dead letters: list", ASIDE),
        Query.of("dead letters: of one delivery", ASIDE_OF_ONE));
  }

  List<Telling> page(@Nullable State state, @Nullable String before, int limit)
      throws SQLException {
    String end = before == null ? END : before;
    return state == State.SET_ASIDE ? setAside(end, limit) : all(state, end, limit);
  }

  /** The type of the event of that sequence. */
  static String type(Delivery delivery, int sequence) {
    DeliveryEvent event = delivery.event(sequence);
    if (event == null) {
      throw new IllegalStateException(delivery.id() + " has no event " + sequence);
    }
    return event.step().eventType();
  }

  private List<Telling> setAside(String end, int limit) throws SQLException {
    List<Telling> page = new ArrayList<>();
    try (ResultSet rows =
        session.prepare(ASIDE, columns.reader.name(), partnerId, end).executeQuery()) {
      while (rows.next()) {
        Telling next = setAside(rows);
        if (page.size() >= limit && !page.getLast().deliveryId().equals(next.deliveryId())) {
          return page;
        }
        page.add(next);
      }
    }
    return page;
  }

  private List<Telling> all(@Nullable State state, String end, int limit) throws SQLException {
    String sql =
        state == null
            ? columns.tellings
            : state == State.WAITING ? columns.waiting : columns.toldOnes;
    PreparedStatement select = session.prepare(sql, partnerId, end, limit);
    List<Telling> page = new ArrayList<>();
    try (ResultSet rows = select.executeQuery()) {
      while (page.size() < limit && rows.next()) {
        try {
          page.addAll(ofOne(rows, state));
        } catch (RuntimeException | StackOverflowError damaged) {
          // One entry stands for all webhooks of an unreadable delivery; the next page continues
          // behind it.
          String error = UnreadableDeliveries.error(damaged);
          State shown = state == null ? State.WAITING : state;
          int next = rows.getInt(2) + 1;
          page.add(
              new Telling(
                  rows.getString(7), next, "", shown, rows.getInt(5), error, rows.getLong(4)));
        }
      }
    }
    return page;
  }

  /**
   * The states of the webhooks of this row's delivery, only those of that state, the highest
   * sequence first.
   */
  private List<Telling> ofOne(ResultSet row, @Nullable State state) throws SQLException {
    Delivery delivery = DeliveryReader.read(row.getBytes(1));
    List<Telling> aside =
        session.list(
            SqliteWebhookStates::setAside,
            ASIDE_OF_ONE,
            columns.reader.name(),
            partnerId,
            delivery.id());
    int through = row.getInt(2);
    List<Telling> all = new ArrayList<>();
    if (state != State.TOLD && row.getObject(4) != null) {
      all.add(
          new Telling(
              delivery.id(),
              through + 1,
              type(delivery, through + 1),
              State.WAITING,
              row.getInt(5),
              row.getString(6),
              row.getLong(4)));
    }
    if (state == null) {
      all.addAll(aside);
    }
    int delivered = lastDelivered(through, aside);
    if (state != State.WAITING && delivered > 0) {
      all.add(
          new Telling(
              delivery.id(),
              delivered,
              type(delivery, delivered),
              State.TOLD,
              0,
              null,
              row.getLong(3)));
    }
    all.sort(Comparator.comparingInt(Telling::sequence).reversed());
    return all;
  }

  private static int lastDelivered(int through, List<Telling> aside) {
    int delivered = through;
    while (delivered > 0 && isIn(aside, delivered)) {
      delivered--;
    }
    return delivered;
  }

  private static boolean isIn(List<Telling> all, int sequence) {
    return all.stream().anyMatch(one -> one.sequence() == sequence);
  }

  private static Telling setAside(ResultSet row) throws SQLException {
    return new Telling(
        row.getString(1),
        row.getInt(2),
        row.getString(3),
        State.SET_ASIDE,
        row.getInt(4),
        row.getString(5),
        row.getLong(6));
  }
}
