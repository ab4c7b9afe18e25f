package gilmok.deliveries;

import gilmok.deliveries.Decision.Allowed;
import gilmok.deliveries.Decision.Denied;
import gilmok.deliveries.DeliveryStore.Creation;
import gilmok.deliveries.DeliveryStore.Filter;
import gilmok.deliveries.DeliveryStore.Idempotency;
import gilmok.deliveries.DeliveryStore.Moving;
import gilmok.deliveries.DeliveryStore.Wish;
import gilmok.deliveries.Outbox.Due;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The model of a store with its outbox, held in maps. Not thread-safe. */
final class DeliveriesModel {
  private final Day day;
  private final TreeMap<String, Row> rows = new TreeMap<>();
  private final Map<String, Used> keys = new HashMap<>();

  DeliveriesModel(Day day) {
    this.day = day;
  }

  private record Used(String bodyHash, Delivery first) {}

  /** A delivery, and how far each reader has come with it. */
  private static final class Row {
    Delivery delivery;
    final Map<OutboxReader, Cursor> cursors = new EnumMap<>(OutboxReader.class);

    Row(Delivery delivery) {
      this.delivery = delivery;
      for (OutboxReader reader : OutboxReader.values()) {
        cursors.put(reader, new Cursor());
      }
    }

    Cursor cursor(OutboxReader reader) {
      return Objects.requireNonNull(cursors.get(reader));
    }
  }

  private static final class Cursor {
    int told;
    int attempts;
    long since;
    long tryAgainAt;

    void reset() {
      attempts = 0;
      since = 0;
      tryAgainAt = 0;
    }
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  String any(Random random) {
    return List.copyOf(rows.keySet()).get(random.nextInt(rows.size()));
  }

  List<Delivery> all() {
    return rows.values().stream().map(row -> row.delivery).toList();
  }

  Creation create(Wish wish) {
    Idempotency by = wish.idempotency();
    Used used = by == null ? null : keys.get(by.scope() + " " + by.key());
    if (by != null && used != null) {
      return used.bodyHash.equals(by.bodyHash())
          ? new Creation.Repeated(used.first)
          : new Creation.KeyReused();
    }
    DeliveryOrder order = wish.first().order();
    for (Delivery one : all()) {
      if (one.order().shopId().equals(order.shopId())
          && one.order().orderId().equals(order.orderId())) {
        return new Creation.OrderTaken(one.id());
      }
    }
    rows.put(wish.first().id(), new Row(wish.first()));
    if (by != null) {
      keys.put(by.scope() + " " + by.key(), new Used(by.bodyHash(), wish.first()));
    }
    return new Creation.Created(wish.first());
  }

  Moving move(String id, Move move) {
    Row row = row(id);
    return switch (Lifecycle.move(row.delivery, move, day.millis())) {
      case Denied(Decision.Why why) -> new Moving.Denied(why, row.delivery);
      case Allowed(Delivery next) -> {
        row.delivery = next;
        yield new Moving.Moved(next);
      }
    };
  }

  Delivery act(String id, Move action) {
    Row row = row(id);
    row.delivery = Lifecycle.act(row.delivery, action, day.millis());
    return row.delivery;
  }

  void told(String id, OutboxReader reader, int through) {
    Row row = row(id);
    Cursor cursor = row.cursor(reader);
    int to = Math.min(through, row.delivery.version());
    if (to > cursor.told && isTold(row, reader)) {
      cursor.told = to;
      cursor.reset();
    }
  }

  void failed(String id, OutboxReader reader, int attempts, long dueAt) {
    Row row = row(id);
    Cursor cursor = row.cursor(reader);
    if (cursor.told < row.delivery.version() && isTold(row, reader)) {
      cursor.attempts = attempts;
      cursor.since = cursor.since == 0 ? day.millis() : cursor.since;
      cursor.tryAgainAt = dueAt;
    }
  }

  void setAside(String id, OutboxReader reader, int sequence) {
    if (sequence <= row(id).delivery.version()) {
      told(id, reader, sequence);
    }
  }

  long replayShop(String shop, long fromMillis) {
    long count = 0;
    for (Row row : rows.values()) {
      if (row.delivery.order().shopId().equals(shop)
          && row.delivery.createdAtMillis() >= fromMillis) {
        row.cursor(OutboxReader.SHOP).told = 0;
        row.cursor(OutboxReader.SHOP).reset();
        count++;
      }
    }
    return count;
  }

  /** What is due for this reader now, by id. */
  List<Due> due(OutboxReader reader) {
    List<Due> due = new ArrayList<>();
    for (Row row : rows.values()) {
      Cursor cursor = row.cursor(reader);
      if (isTold(row, reader)
          && cursor.told < row.delivery.version()
          && cursor.tryAgainAt <= day.millis()) {
        due.add(new Due(row.delivery, reader, cursor.told, cursor.attempts, cursor.since));
      }
    }
    return due;
  }

  List<Delivery> list(Filter filter, @Nullable String before, int limit) {
    List<Predicate<Delivery>> all = new ArrayList<>();
    all.add(one -> filter.status() == null || one.status() == filter.status());
    all.add(one -> filter.riderId() == null || filter.riderId().equals(one.riderId()));
    all.add(one -> filter.shopId() == null || filter.shopId().equals(one.order().shopId()));
    all.add(one -> filter.agencyId() == null || filter.agencyId().equals(one.agencyId()));
    Long from = filter.fromMillis();
    Long to = filter.toMillis();
    all.add(one -> from == null || one.createdAtMillis() >= from);
    all.add(one -> to == null || one.createdAtMillis() < to);
    all.add(one -> before == null || one.id().compareTo(before) < 0);
    return rows.descendingMap().values().stream()
        .map(row -> row.delivery)
        .filter(one -> all.stream().allMatch(each -> each.test(one)))
        .limit(limit)
        .toList();
  }

  /** A delivery without an agency has nothing for the reader of agencies. */
  private static boolean isTold(Row row, OutboxReader reader) {
    return reader != OutboxReader.AGENCY || row.delivery.agencyId() != null;
  }

  private Row row(String id) {
    return Objects.requireNonNull(rows.get(id));
  }
}
