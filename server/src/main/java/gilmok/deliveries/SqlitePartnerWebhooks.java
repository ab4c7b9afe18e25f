package gilmok.deliveries;

import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Partners' webhooks in SQLite. Changes of many deliveries are made in steps, so that they do not
 * hold up others. Thread-safe; calls block until the change is on disk.
 */
record SqlitePartnerWebhooks(
    SqliteDatabase database, InstantSource clock, Map<OutboxReader, SqliteReaderColumns> columns)
    implements PartnerWebhooks {
  private static final String NOT_ASIDE =
      "DELETE FROM set_aside WHERE reader = ?1 AND delivery_id = ?2 AND sequence = ?3"
          + " AND partner_id = (SELECT CASE ?1 WHEN 'SHOP' THEN shop_id ELSE agency_id END"
          + " FROM deliveries WHERE id = ?2)";
  private static final String NO_MORE_ASIDE =
      "DELETE FROM set_aside WHERE reader = ? AND partner_id = ? AND delivery_id >= ?"
          + " AND delivery_id <= ?";

  /** How many deliveries one step of a change makes due. */
  private static final int REPLAY_STEP = 500;

  private static final int LIMIT_MAX = 1_000;

  /** All queries besides those of the readers' columns. */
  static List<Query> queries() {
    List<Query> all = new ArrayList<>(SqliteWebhookStates.queries());
    all.add(Query.of("dead letters: remove one", NOT_ASIDE));
    all.add(Query.of("dead letters: remove", NO_MORE_ASIDE));
    return all;
  }

  @Override
  public WebhookState.Page page(
      Partner partner, WebhookState.@Nullable State state, @Nullable String before, int limit)
      throws IOException, InterruptedException {
    check(limit);
    return database.read(
        session ->
            new SqliteWebhookStates(session, of(partner.reader()), partner)
                .page(state, before, limit));
  }

  @Override
  public int waiting(OutboxReader reader, String partnerId, int max)
      throws IOException, InterruptedException {
    return database.read(
        session ->
            Objects.requireNonNull(
                session.first(row -> row.getInt(1), of(reader).count, partnerId, max)));
  }

  @Override
  public void redelivered(String deliveryId, OutboxReader reader, WebhookAttempt attempt)
      throws IOException, InterruptedException {
    database.write(
        session -> {
          if (attempt.isSuccess()) {
            session.update(NOT_ASIDE, reader.name(), deliveryId, attempt.sequence());
          }
          return session.update(of(reader).attempt, attempt.line(), deliveryId) > 0;
        });
  }

  @Override
  public long retryNow(OutboxReader reader, String partnerId, long nowMillis)
      throws IOException, InterruptedException {
    long all = 0;
    while (true) {
      int step = database.write(session -> retryStep(session, reader, partnerId, nowMillis));
      all += step;
      if (step < REPLAY_STEP) {
        return all;
      }
    }
  }

  private int retryStep(
      SqliteSession session, OutboxReader reader, String partnerId, long nowMillis)
      throws SQLException {
    List<Long> rows =
        session.list(row -> row.getLong(1), of(reader).retries, partnerId, nowMillis, REPLAY_STEP);
    for (long row : rows) {
      session.update(of(reader).retryRow, nowMillis, row);
    }
    return rows.size();
  }

  @Override
  public long replay(OutboxReader reader, String partnerId, long fromMillis)
      throws IOException, InterruptedException {
    long all = 0;
    String from = DeliveryId.floor(fromMillis);
    while (true) {
      Step step = replayStep(reader, partnerId, from);
      all += step.count;
      String last = step.last;
      if (last == null) {
        return all;
      }
      from = last + "!"; // sorts just above that id
    }
  }

  /** How many deliveries a step made due; the last one's id when there may be more, else null. */
  private record Step(int count, @Nullable String last) {}

  private Step replayStep(OutboxReader reader, String partnerId, String from)
      throws IOException, InterruptedException {
    return database.write(
        session -> {
          PreparedStatement select =
              session.prepare(of(reader).since, partnerId, from, REPLAY_STEP);
          List<Long> numbers = new ArrayList<>();
          String last = null;
          try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
              numbers.add(rows.getLong(1));
              last = rows.getString(2);
            }
          }
          if (last == null) {
            return new Step(0, null);
          }
          for (long number : numbers) {
            session.update(of(reader).again, clock.millis(), number);
          }
          session.update(NO_MORE_ASIDE, reader.name(), partnerId, from, last);
          return new Step(numbers.size(), numbers.size() < REPLAY_STEP ? null : last);
        });
  }

  private SqliteReaderColumns of(OutboxReader reader) {
    return Objects.requireNonNull(columns.get(reader));
  }

  static void check(int limit) {
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new IllegalArgumentException("limit: " + limit);
    }
  }
}
