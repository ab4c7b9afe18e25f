package gilmok.deliveries;

import gilmok.background.WakeSignal;
import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteRow;
import gilmok.documents.SqliteSession;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The outbox in SQLite: one small row for each delivery, with columns for each reader, so that one
 * statement makes a delivery due for all of them. Thread-safe; calls block until the change is on
 * disk.
 */
public final class SqliteOutbox implements Outbox {
  private static final String CREATE =
      "INSERT INTO outbox (n, shard, version, log_due, shop_due, agency_due)"
          + " VALUES (?, ?, ?, ?, ?, ?)";

  private static final String CREATE_SETTLED =
      "INSERT INTO outbox (n, shard, version, log_told, shop_told, agency_told)"
          + " VALUES (?1, ?2, ?3, ?3, ?3, ?3)";

  /** The statements, by the sum of the readers that become due: 1 log, 2 shop, 4 agency. */
  private static final List<String> MOVES =
      IntStream.range(0, 8).mapToObj(SqliteOutbox::moveSql).toList();

  private static final String EVENT = "SELECT document FROM deliveries WHERE id = ?";
  private static final String SET_ASIDE =
      "INSERT INTO set_aside (reader, partner_id, delivery_id, sequence, type, attempts, error, at)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";

  /** Reads rows whose only column is the document. */
  static final SqliteRow<Delivery> DOCUMENT = row -> DeliveryReader.read(row.getBytes(1));

  private final SqliteDatabase database;
  private final InstantSource clock;
  private final UnreadableDeliveries unreadable;
  private final RecentDeliveries recent;
  private final SqlitePartnerWebhooks webhooks;
  private final Map<OutboxReader, SqliteReaderColumns> columns = new EnumMap<>(OutboxReader.class);

  /** The outbox of the deliveries in that database; {@code recent} is what moved last in it. */
  public SqliteOutbox(
      SqliteDatabase database,
      InstantSource clock,
      UnreadableDeliveries unreadable,
      RecentDeliveries recent) {
    this.unreadable = unreadable;
    this.recent = recent;
    this.database = database;
    this.clock = clock;
    for (OutboxReader reader : OutboxReader.values()) {
      columns.put(reader, new SqliteReaderColumns(reader));
    }
    webhooks = new SqlitePartnerWebhooks(database, clock, columns);
  }

  /** All queries, for each reader. */
  public static List<Query> queries() {
    List<Query> all =
        new ArrayList<>(
            List.of(
                Query.of("outbox: create", CREATE),
                Query.of("outbox: create, nothing due", CREATE_SETTLED),
                Query.of("outbox: event", EVENT),
                Query.of("dead letters: add", SET_ASIDE)));
    for (int due = 0; due < MOVES.size(); due++) {
      all.add(Query.of("outbox: move, due for " + due, MOVES.get(due)));
    }
    for (OutboxReader reader : OutboxReader.values()) {
      all.addAll(new SqliteReaderColumns(reader).queries());
    }
    all.addAll(SqlitePartnerWebhooks.queries());
    return List.copyOf(all);
  }

  /** Inserts the row of a new delivery, in the same transaction. On the writer's thread. */
  static void create(SqliteSession session, long number, Delivery first, long now)
      throws SQLException {
    int shard = DeliveryId.shard(first.id());
    Long agencyDue = first.agencyId() == null ? null : (Long) now;
    session.update(CREATE, number, shard, first.version(), now, now, agencyDue);
  }

  /** Inserts the row of a delivery of the past: every reader has been told all its events. */
  static void createSettled(SqliteSession session, long number, Delivery past) throws SQLException {
    session.update(CREATE_SETTLED, number, DeliveryId.shard(past.id()), past.version());
  }

  /**
   * Makes a moved delivery due for every reader, in the same transaction. A reader for whom it is
   * due already, or whose retry waits, is left as it is, and so is its index, which may hold a long
   * backlog. On the writer's thread.
   *
   * @param idle the sum of the readers for whom nothing was due: 1 log, 2 shop, 4 agency
   */
  static void move(SqliteSession session, long number, Delivery next, int idle, long now)
      throws SQLException {
    int due = next.agencyId() == null ? idle & 3 : idle;
    if (due == 0) {
      session.update(MOVES.get(due), next.version(), number);
    } else {
      session.update(MOVES.get(due), next.version(), number, now);
    }
  }

  private static String moveSql(int due) {
    return "UPDATE outbox SET version = ?1"
        + ((due & 1) == 0 ? "" : ", log_due = ?3")
        + ((due & 2) == 0 ? "" : ", shop_due = ?3")
        + ((due & 4) == 0 ? "" : ", agency_due = ?3")
        + " WHERE n = ?2";
  }

  @Override
  public List<Due> due(OutboxReader reader, Shards shards, long nowMillis, int limit)
      throws IOException, InterruptedException {
    SqlitePartnerWebhooks.check(limit);
    List<Unread> unread = new ArrayList<>();
    List<Due> due =
        database.read(
            session -> {
              unread.clear();
              return due(session, reader, shards, nowMillis, limit, unread);
            });
    for (Unread one : unread) {
      long again = unreadable.found(reader, one.id, one.why);
      failed(one.id, reader, one.attempts + 1, again, UnreadableDeliveries.error(one.why), null);
    }
    return due;
  }

  /** An unreadable delivery that was due for a reader. */
  private record Unread(String id, int attempts, Throwable why) {}

  private List<Due> due(
      SqliteSession session,
      OutboxReader reader,
      Shards shards,
      long nowMillis,
      int limit,
      List<Unread> unread)
      throws SQLException {
    List<Due> all = new ArrayList<>();
    PreparedStatement select = session.prepare(of(reader).due, shards.bits(), nowMillis, limit);
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        int attempts = rows.getInt(3);
        try {
          Delivery delivery = recent.at(rows.getString(5), rows.getInt(6));
          if (delivery == null) {
            delivery = DeliveryReader.readAs(rows.getString(5), rows.getInt(6), rows.getBytes(1));
          }
          all.add(new Due(delivery, reader, rows.getInt(2), attempts, rows.getLong(4)));
        } catch (RuntimeException | StackOverflowError damaged) {
          unread.add(new Unread(rows.getString(5), attempts, damaged));
        }
      }
    }
    return all;
  }

  @Override
  public void bringForward(OutboxReader reader, Shards shards, long nowMillis, long longestMillis)
      throws IOException, InterruptedException {
    long late = nowMillis + CLOCK_MILLIS;
    long longest = nowMillis + longestMillis;
    String tooLate = of(reader).tooLate;
    if (database.first(_ -> true, tooLate, shards.bits(), late, longest) != null) {
      database.update(of(reader).forward, shards.bits(), late, longest, nowMillis);
    }
  }

  @Override
  public void told(List<Told> all) throws IOException, InterruptedException {
    if (all.isEmpty()) {
      return;
    }
    database.write(
        session -> {
          long now = clock.millis();
          for (Told one : all) {
            session.update(of(one.reader()).told, one.through(), now, one.deliveryId());
          }
          return true;
        });
  }

  @Override
  public void delivered(String deliveryId, OutboxReader reader, WebhookAttempt attempt)
      throws IOException, InterruptedException {
    database.write(
        session -> {
          session.update(of(reader).told, attempt.sequence(), clock.millis(), deliveryId);
          return note(session, deliveryId, reader, attempt);
        });
  }

  /** Adds an attempt to the history; nothing for null. */
  private boolean note(
      SqliteSession session,
      String deliveryId,
      OutboxReader reader,
      @Nullable WebhookAttempt attempt)
      throws SQLException {
    return attempt != null && session.update(of(reader).attempt, attempt.line(), deliveryId) > 0;
  }

  @Override
  public void failed(
      String deliveryId,
      OutboxReader reader,
      int attempts,
      long dueAtMillis,
      String error,
      @Nullable WebhookAttempt attempt)
      throws IOException, InterruptedException {
    database.write(
        session -> {
          session.update(
              of(reader).failed, attempts, dueAtMillis, error, clock.millis(), deliveryId);
          return note(session, deliveryId, reader, attempt);
        });
  }

  @Override
  public void retryNow(OutboxReader reader, List<String> deliveryIds, long nowMillis)
      throws IOException, InterruptedException {
    database.write(
        session -> {
          for (String id : deliveryIds) {
            session.update(of(reader).retryOne, nowMillis, id);
          }
          return true;
        });
  }

  @Override
  public void setAside(
      String deliveryId,
      OutboxReader reader,
      int sequence,
      String error,
      @Nullable WebhookAttempt attempt)
      throws IOException, InterruptedException {
    database.write(
        session -> {
          boolean _ = note(session, deliveryId, reader, attempt);
          Delivery delivery = session.first(DOCUMENT, EVENT, deliveryId);
          if (delivery == null || sequence > delivery.version()) {
            return false;
          }
          long now = clock.millis();
          Integer attempts = session.first(row -> row.getInt(1), of(reader).attempts, deliveryId);
          if (session.update(of(reader).passed, sequence, now, deliveryId) == 0) {
            return false;
          }
          return session.update(
                  SET_ASIDE,
                  reader.name(),
                  Objects.requireNonNullElse(reader.partnerId(delivery), ""),
                  deliveryId,
                  sequence,
                  type(delivery, sequence),
                  (attempts == null ? 0 : attempts) + (attempt == null ? 0 : 1),
                  error,
                  now)
              > 0;
        });
  }

  private static String type(Delivery delivery, int sequence) {
    DeliveryEvent event = delivery.event(sequence);
    if (event == null) {
      throw new IllegalStateException(delivery.id() + " has no event " + sequence);
    }
    return event.step().eventType();
  }

  private SqliteReaderColumns of(OutboxReader reader) {
    return Objects.requireNonNull(columns.get(reader));
  }

  @Override
  public boolean onChange(WakeSignal signal) {
    database.onCommit(signal);
    return true;
  }

  @Override
  public boolean isEmpty(OutboxReader reader) throws IOException, InterruptedException {
    return database.first(_ -> true, of(reader).any) == null;
  }

  @Override
  public PartnerWebhooks webhooks() {
    return webhooks;
  }
}
