package gilmok.deliveries;

import gilmok.deliveries.Decision.Allowed;
import gilmok.deliveries.Decision.Denied;
import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import gilmok.retention.SqliteRemovalPlans;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Deliveries in SQLite: a document each, with columns for the lookups, and an outbox row ({@link
 * SqliteOutbox}) that changes with it. A move is one reading and two writing statements.
 * Thread-safe; calls block until the change is on disk.
 */
public final class SqliteDeliveries implements DeliveryStore {
  private static final String FIND =
      "SELECT d.n, d.document, (o.log_due IS NULL) + 2 * (o.shop_due IS NULL)"
          + " + 4 * (o.agency_due IS NULL)"
          + " FROM deliveries d JOIN outbox o ON o.n = d.n WHERE d.id = ?";
  private static final String IDLE =
      "SELECT (log_due IS NULL) + 2 * (shop_due IS NULL) + 4 * (agency_due IS NULL)"
          + " FROM outbox WHERE n = ?";
  private static final String READ = "SELECT document FROM deliveries WHERE id = ?";
  private static final String OF_ORDER =
      "SELECT id FROM deliveries WHERE shop_id = ? AND order_id = ?";
  private static final String INSERT =
      "INSERT INTO deliveries (id, shop_id, order_id, agency_id, rider_id, status, document)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (shop_id, order_id) DO NOTHING";
  private static final String RESTORE =
      "INSERT INTO deliveries (id, shop_id, order_id, agency_id, rider_id, status, document)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
  private static final String THERE =
      "SELECT document FROM deliveries WHERE id = ? OR (shop_id = ? AND order_id = ?) LIMIT 1";
  private static final String AFTER =
      "SELECT document, id FROM deliveries WHERE id > ? ORDER BY id LIMIT ?";
  private static final String NUMBER = "SELECT last_insert_rowid()";
  private static final String UPDATE = "UPDATE deliveries SET document = ?, status = ? WHERE n = ?";
  private static final String UPDATE_ALL =
      "UPDATE deliveries SET document = ?, status = ?, rider_id = ?, agency_id = ? WHERE n = ?";

  /** For a change that keeps the status, so that the status index is not touched. */
  private static final String UPDATE_DOCUMENT = "UPDATE deliveries SET document = ? WHERE n = ?";

  private static final int LIST_MAX = 1_000;

  /** Limits how long other writes wait for deliveries of the past. */
  private static final int PIECE_MAX = 100;

  private final SqliteDatabase database;
  private final InstantSource clock;
  private final UnreadableDeliveries unreadable;
  private final RecentDeliveries recent;
  private final SqliteIdempotency idempotency = new SqliteIdempotency();

  /** Owned by the writer's thread. */
  private final JsonFieldWriter json = new JsonFieldWriter();

  /**
   * Deliveries in that database; the clock gives the times of recording. What moved last is noted
   * in {@code recent}.
   */
  public SqliteDeliveries(
      SqliteDatabase database,
      InstantSource clock,
      UnreadableDeliveries unreadable,
      RecentDeliveries recent) {
    this.database = database;
    this.clock = clock;
    this.unreadable = unreadable;
    this.recent = recent;
  }

  /** All queries, those for lists and idempotency keys included. */
  public static List<Query> queries() {
    List<Query> all =
        new ArrayList<>(
            List.of(
                Query.of("deliveries: one, to move it", FIND),
                Query.of("deliveries: one that is known, to move it", IDLE),
                Query.of("deliveries: one", READ),
                Query.of("deliveries: of an order", OF_ORDER),
                Query.of("deliveries: create", INSERT),
                Query.of("deliveries: restore", RESTORE),
                Query.of("deliveries: there already", THERE),
                Query.of("deliveries: all, by id", AFTER),
                Query.of("deliveries: number of the created", NUMBER),
                Query.of("deliveries: move", UPDATE),
                Query.of("deliveries: move, with its people", UPDATE_ALL),
                Query.of("deliveries: write, state as it was", UPDATE_DOCUMENT)));
    all.addAll(SqliteFilter.queries());
    all.addAll(SqliteIdempotency.queries());
    return List.copyOf(all);
  }

  @Override
  public List<Creation> create(List<Wish> wishes) throws IOException, InterruptedException {
    if (wishes.size() > LIST_MAX) {
      throw new IllegalArgumentException("more than " + LIST_MAX + " at once");
    }
    if (wishes.isEmpty()) {
      return List.of();
    }
    return database.write(
        session -> {
          long now = clock.millis();
          List<Creation> answers = new ArrayList<>(wishes.size());
          for (Wish wish : wishes) {
            answers.add(create(session, wish, now));
          }
          return answers;
        });
  }

  @Override
  public Moving move(String id, Move move) throws IOException, InterruptedException {
    return database.write(
        session -> {
          Kept kept = kept(session, id);
          if (kept == null) {
            return new Moving.Unknown();
          }
          long now = clock.millis();
          return switch (Lifecycle.move(kept.delivery, move, now)) {
            case Denied(Decision.Why why) -> new Moving.Denied(why, kept.delivery);
            case Allowed(Delivery next) -> {
              update(session, kept, next, now);
              yield new Moving.Moved(next);
            }
          };
        });
  }

  @Override
  public @Nullable Delivery act(String id, Move action) throws IOException, InterruptedException {
    Optional<Delivery> after =
        database.write(
            session -> {
              Kept kept = kept(session, id);
              if (kept == null) {
                return Optional.empty();
              }
              long now = clock.millis();
              Delivery next = Lifecycle.act(kept.delivery, action, now);
              if (!next.equals(kept.delivery)) {
                update(session, kept, next, now);
              }
              return Optional.of(next);
            });
    return after.orElse(null);
  }

  @Override
  public @Nullable Delivery find(String id) throws IOException, InterruptedException {
    return database.first(SqliteOutbox.DOCUMENT, READ, id);
  }

  @Override
  public List<Delivery> list(Filter filter, @Nullable String before, int limit)
      throws IOException, InterruptedException {
    if (limit < 1 || limit > LIST_MAX) {
      throw new IllegalArgumentException("limit: " + limit);
    }
    return readable(limit, (session, most) -> SqliteFilter.select(session, filter, before, most));
  }

  @Override
  public List<Delivery> after(String id, int limit) throws IOException, InterruptedException {
    return readable(limit, (session, most) -> session.prepare(AFTER, id, most));
  }

  @Override
  public String removedTo() throws IOException, InterruptedException {
    return new SqliteRemovalPlans(database, DeliveryRemoval.KIND).removedTo();
  }

  /** Selects documents and their ids, at most so many. */
  private interface Selection {
    PreparedStatement of(SqliteSession session, int most) throws SQLException;
  }

  private List<Delivery> readable(int limit, Selection selection)
      throws IOException, InterruptedException {
    Map<String, Throwable> leftOut = new LinkedHashMap<>();
    List<Delivery> page = database.read(session -> page(session, selection, limit, leftOut));
    unreadable.leftOut(leftOut);
    return page;
  }

  /**
   * Reads a page, skipping unreadable deliveries. Each gives its place to the next, so that only
   * the last page is short.
   */
  private static List<Delivery> page(
      SqliteSession session, Selection selection, int limit, Map<String, Throwable> leftOut)
      throws SQLException {
    leftOut.clear();
    List<Delivery> page = new ArrayList<>();
    int most = limit + UnreadableDeliveries.LEFT_OUT_MAX;
    try (ResultSet rows = selection.of(session, most).executeQuery()) {
      while (page.size() < limit && rows.next()) {
        try {
          page.add(DeliveryReader.read(rows.getBytes(1)));
        } catch (RuntimeException | StackOverflowError damaged) {
          leftOut.put(rows.getString(2), damaged);
        }
      }
    }
    return page;
  }

  @Override
  public List<Optional<Delivery>> restore(List<Delivery> past)
      throws IOException, InterruptedException {
    if (past.size() > LIST_MAX) {
      throw new IllegalArgumentException("more than " + LIST_MAX + " at once");
    }
    List<Optional<Delivery>> there = new ArrayList<>(past.size());
    for (int from = 0; from < past.size(); from += PIECE_MAX) {
      List<Delivery> piece = past.subList(from, Math.min(past.size(), from + PIECE_MAX));
      there.addAll(
          database.write(
              session -> {
                List<Optional<Delivery>> found = new ArrayList<>(piece.size());
                for (Delivery one : piece) {
                  found.add(restore(session, one));
                }
                return found;
              }));
    }
    return there;
  }

  private Optional<Delivery> restore(SqliteSession session, Delivery one) throws SQLException {
    long number = insert(session, RESTORE, one);
    if (number > 0) {
      SqliteOutbox.createSettled(session, number, one);
      recent.wrote(session, number, one);
      return Optional.empty();
    }
    DeliveryOrder order = one.order();
    return Optional.of(
        Objects.requireNonNull(
            session.first(
                SqliteOutbox.DOCUMENT, THERE, one.id(), order.shopId(), order.orderId())));
  }

  private Creation create(SqliteSession session, Wish wish, long now) throws SQLException {
    Idempotency by = wish.idempotency();
    if (by != null) {
      SqliteIdempotency.Entry known = idempotency.find(session, by);
      Delivery made =
          known == null ? null : session.first(SqliteOutbox.DOCUMENT, READ, known.deliveryId());
      if (known != null && made != null) {
        return known.bodyHash().equals(by.bodyHash())
            ? new Creation.Repeated(Lifecycle.at(made, 1))
            : new Creation.KeyReused();
      }
    }
    Delivery first = wish.first();
    long number = insert(session, INSERT, first);
    if (number == 0) {
      return new Creation.OrderTaken(
          Objects.requireNonNull(
              session.first(
                  row -> row.getString(1),
                  OF_ORDER,
                  first.order().shopId(),
                  first.order().orderId())));
    }
    SqliteOutbox.create(session, number, first, now);
    recent.wrote(session, number, first);
    if (by != null) {
      idempotency.add(session, by, first.id(), now);
    }
    return new Creation.Created(first);
  }

  /** Inserts a delivery. Returns its row number; 0 when there is one in its place already. */
  private long insert(SqliteSession session, String sql, Delivery first) throws SQLException {
    int inserted =
        session.update(
            sql,
            first.id(),
            first.order().shopId(),
            first.order().orderId(),
            first.agencyId(),
            first.riderId(),
            first.status().name(),
            DeliveryWriter.json(first, json));
    return inserted == 0 ? 0 : Objects.requireNonNull(session.first(row -> row.getLong(1), NUMBER));
  }

  private void update(SqliteSession session, Kept kept, Delivery next, long now)
      throws SQLException {
    Delivery present = kept.delivery;
    boolean isSameStatus = present.status() == next.status();
    boolean isSamePeople =
        Objects.equals(present.riderId(), next.riderId())
            && Objects.equals(present.agencyId(), next.agencyId());
    byte[] document = DeliveryWriter.json(next, json);
    String status = next.status().name();
    if (!isSamePeople) {
      session.update(UPDATE_ALL, document, status, next.riderId(), next.agencyId(), kept.number);
    } else if (!isSameStatus) {
      session.update(UPDATE, document, status, kept.number);
    } else {
      session.update(UPDATE_DOCUMENT, document, kept.number);
    }
    if (next.version() != present.version()) {
      SqliteOutbox.move(session, kept.number, next, kept.idle, now);
    }
    recent.wrote(session, kept.number, next);
  }

  /**
   * A delivery and the number of its row.
   *
   * @param idle the sum of the readers for whom nothing is due: 1 log, 2 shop, 4 agency
   */
  private record Kept(long number, Delivery delivery, int idle) {}

  private @Nullable Kept kept(SqliteSession session, String id) throws SQLException {
    RecentDeliveries.Entry known = recent.find(session, id);
    if (known != null) {
      return session.first(
          row -> new Kept(known.number(), known.delivery(), row.getInt(1)), IDLE, known.number());
    }
    return session.first(
        row -> new Kept(row.getLong(1), DeliveryReader.read(row.getBytes(2)), row.getInt(3)),
        FIND,
        id);
  }
}
