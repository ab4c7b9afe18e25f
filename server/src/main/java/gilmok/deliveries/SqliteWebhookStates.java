package gilmok.deliveries;

import gilmok.deliveries.WebhookState.State;
import gilmok.documents.Query;
import gilmok.documents.SqliteSession;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists the states of a partner's webhooks: waiting, given up and sent. For one read transaction.
 */
record SqliteWebhookStates(SqliteSession session, SqliteReaderColumns columns, Partner partner) {
  /** Sorts above every id. */
  private static final String END = "~";

  private static final String ASIDE =
      "SELECT delivery_id, sequence, type, attempts, error, at FROM set_aside"
          + " WHERE reader = ? AND partner_id = ? AND delivery_id";
  private static final String ASIDE_BELOW =
      ASIDE + " < ? ORDER BY delivery_id DESC, sequence DESC LIMIT ?";
  private static final String ASIDE_OF_ONE = ASIDE + " = ? ORDER BY sequence DESC";

  /** The most events of one delivery, so that a page that is read is never cut within one. */
  private static final int MORE = Delivery.EVENTS_MAX;

  /** All queries besides those of the reader's columns. */
  static List<Query> queries() {
    return List.of(
        Query.of("dead letters: list", ASIDE_BELOW),
        Query.of("dead letters: of one delivery", ASIDE_OF_ONE));
  }

  WebhookState.Page page(@Nullable State state, @Nullable String before, int limit)
      throws SQLException {
    String end = before == null ? END : before;
    return state == State.SET_ASIDE ? deadLetters(end, limit) : all(state, end, limit);
  }

  private WebhookState.Page deadLetters(String end, int limit) throws SQLException {
    int most = limit + MORE;
    List<WebhookState> found =
        session.list(
            row -> deadLetter(row, history(row.getString(1))),
            ASIDE_BELOW,
            columns.reader.name(),
            partner.id(),
            end,
            most);
    List<WebhookState> page = new ArrayList<>();
    for (WebhookState one : found) {
      if (page.size() >= limit && !page.getLast().deliveryId().equals(one.deliveryId())) {
        return new WebhookState.Page(page, page.getLast().deliveryId());
      }
      page.add(one);
    }
    return new WebhookState.Page(page, found.size() < most ? null : page.getLast().deliveryId());
  }

  private List<WebhookAttempt> history(String deliveryId) throws SQLException {
    List<WebhookAttempt> history =
        session.first(row -> WebhookAttempt.history(row.getString(1)), columns.history, deliveryId);
    return history == null ? List.of() : history;
  }

  private WebhookState.Page all(@Nullable State state, String end, int limit) throws SQLException {
    String sql =
        state == null
            ? columns.webhooks
            : state == State.WAITING ? columns.waiting : columns.attempted;
    List<WebhookState> page = new ArrayList<>();
    int read = 0;
    String last = null;
    try (ResultSet rows = session.prepare(sql, partner.id(), end, limit).executeQuery()) {
      while (page.size() < limit && rows.next()) {
        read++;
        last = rows.getString(7);
        try {
          page.addAll(known(rows).states(partner, state));
        } catch (RuntimeException | StackOverflowError damaged) {
          page.add(WebhookState.unreadable(last, state, rows.getLong(3), damaged));
        }
      }
    }
    return new WebhookState.Page(page, read < limit && page.size() < limit ? null : last);
  }

  private WebhookState.Known known(ResultSet row) throws SQLException {
    Delivery delivery = DeliveryReader.read(row.getBytes(1));
    List<WebhookState> deadLetters =
        session.list(
            letter -> deadLetter(letter, List.of()),
            ASIDE_OF_ONE,
            columns.reader.name(),
            partner.id(),
            delivery.id());
    return new WebhookState.Known(
        delivery,
        row.getInt(2),
        row.getLong(3),
        row.getInt(4),
        row.getString(5),
        deadLetters,
        WebhookAttempt.history(row.getString(6)));
  }

  private static WebhookState deadLetter(ResultSet row, List<WebhookAttempt> attempts)
      throws SQLException {
    int sequence = row.getInt(2);
    return new WebhookState(
        row.getString(1),
        sequence,
        row.getString(3),
        State.SET_ASIDE,
        row.getInt(4),
        row.getString(5),
        row.getLong(6),
        attempts.stream().filter(one -> one.sequence() == sequence).toList());
  }
}
