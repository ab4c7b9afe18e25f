package gilmok.deliveries.relay;

import gilmok.background.WakeSignal;
import gilmok.background.WakeSignals;
import gilmok.deliveries.Decision;
import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryEvent;
import gilmok.deliveries.DeliveryStore;
import gilmok.deliveries.Lifecycle;
import gilmok.deliveries.Move;
import gilmok.deliveries.Outbox;
import gilmok.deliveries.OutboxReader;
import gilmok.deliveries.Partner;
import gilmok.deliveries.PartnerStore;
import gilmok.deliveries.PartnerWebhooks;
import gilmok.deliveries.Shards;
import gilmok.deliveries.WebhookAttempt;
import gilmok.deliveries.WebhookState;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Deliveries, outbox and partners in memory, so that thousands of simulated days take a second.
 * Thread-safe.
 */
final class MemoryDocuments implements DeliveryStore, Outbox, PartnerStore {
  /** How far one reader has come with one delivery. */
  private static final class Row {
    int told;
    int attempts;
    long since;
    long dueAt;
    @Nullable String error;
  }

  private record Lease(String holder, long until) {}

  private final InstantSource clock;
  private final TreeMap<String, Delivery> deliveries = new TreeMap<>();
  private final Map<InFlightWebhooks.Key, Row> rows = new LinkedHashMap<>();
  private final Map<Integer, List<InFlightWebhooks.Key>> shards = new HashMap<>();
  private final Map<PartnerBulkhead.Key, Partner> partners = new HashMap<>();
  private final Map<Integer, Lease> leases = new HashMap<>();
  final List<WebhookState> aside = new ArrayList<>();
  private final WakeSignals changes = new WakeSignals();
  int writes;

  /** How often it was asked what is due. */
  int polls;

  boolean isBroken;

  MemoryDocuments(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public synchronized List<Creation> create(List<Wish> wishes) {
    List<Creation> all = new ArrayList<>();
    for (Wish wish : wishes) {
      changed(wish.first());
      all.add(new Creation.Created(wish.first()));
    }
    return all;
  }

  @Override
  public synchronized Moving move(String id, Move move) {
    Delivery present = deliveries.get(id);
    if (present == null) {
      return new Moving.Unknown();
    }
    return switch (Lifecycle.decide(present, move, clock.millis())) {
      case Decision.Denied denied -> new Moving.Denied(denied.why(), present);
      case Decision.Allowed allowed -> {
        changed(allowed.next());
        yield new Moving.Moved(allowed.next());
      }
    };
  }

  private void changed(Delivery delivery) {
    deliveries.put(delivery.id(), delivery);
    for (OutboxReader reader : OutboxReader.values()) {
      InFlightWebhooks.Key key = new InFlightWebhooks.Key(reader, delivery.id());
      if (!rows.containsKey(key)) {
        rows.put(key, new Row());
        shards.computeIfAbsent(key.shard(), _ -> new ArrayList<>()).add(key);
      }
      Row row = row(key);
      if (row.attempts == 0 && row.error == null) {
        row.dueAt = Math.max(row.dueAt, clock.millis());
      }
    }
    changes.fire();
  }

  private Row row(InFlightWebhooks.Key key) {
    return Objects.requireNonNull(rows.get(key));
  }

  @Override
  public @Nullable Delivery act(String id, Move action) {
    throw new UnsupportedOperationException();
  }

  @Override
  public synchronized @Nullable Delivery find(String id) {
    return deliveries.get(id);
  }

  @Override
  public List<Delivery> after(String id, int limit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Optional<Delivery>> restore(List<Delivery> past) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Delivery> list(Filter filter, @Nullable String before, int limit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public synchronized List<Due> due(OutboxReader reader, Shards wanted, long nowMillis, int limit)
      throws IOException {
    answer();
    polls++;
    List<Due> due = new ArrayList<>();
    List<InFlightWebhooks.Key> sorted = new ArrayList<>();
    wanted.forEach(shard -> sorted.addAll(shards.getOrDefault(shard, List.of())));
    sorted.removeIf(key -> key.reader() != reader);
    sorted.sort(Comparator.comparingLong(key -> row(key).dueAt));
    for (InFlightWebhooks.Key key : sorted) {
      Row row = row(key);
      Delivery delivery = deliveries.get(key.deliveryId());
      if (delivery != null
          && row.told < delivery.version()
          && row.dueAt <= nowMillis
          && (reader != OutboxReader.AGENCY || delivery.agencyId() != null)
          && due.size() < limit) {
        due.add(new Due(delivery, reader, row.told, row.attempts, row.since));
      }
    }
    return due;
  }

  @Override
  public synchronized void bringForward(
      OutboxReader reader, Shards wanted, long nowMillis, long longestMillis) throws IOException {
    answer();
    rows.forEach(
        (key, row) -> {
          long latest = nowMillis + (row.error == null ? CLOCK_MILLIS : longestMillis);
          if (key.reader() == reader && wanted.has(key.shard()) && row.dueAt > latest) {
            row.dueAt = nowMillis;
          }
        });
    changes.fire();
  }

  @Override
  public synchronized void told(List<Told> all) throws IOException {
    answer();
    for (Told one : all) {
      settle(one.deliveryId(), one.reader(), one.through());
    }
  }

  private void settle(String deliveryId, OutboxReader reader, int through) {
    Row row = rows.get(new InFlightWebhooks.Key(reader, deliveryId));
    if (row != null && through > row.told) {
      row.told = through;
      row.attempts = 0;
      row.since = 0;
      row.error = null;
      row.dueAt = clock.millis();
      changes.fire();
    }
  }

  @Override
  public synchronized void failed(
      String deliveryId,
      OutboxReader reader,
      int attempts,
      long dueAtMillis,
      String error,
      @Nullable WebhookAttempt attempt)
      throws IOException {
    answer();
    Row row = rows.get(new InFlightWebhooks.Key(reader, deliveryId));
    if (row != null) {
      row.attempts = attempts;
      row.since = row.since == 0 ? clock.millis() : row.since;
      row.dueAt = dueAtMillis;
      row.error = error;
      changes.fire();
    }
  }

  @Override
  public synchronized void setAside(
      String deliveryId,
      OutboxReader reader,
      int sequence,
      String error,
      @Nullable WebhookAttempt attempt)
      throws IOException {
    answer();
    Row row = rows.get(new InFlightWebhooks.Key(reader, deliveryId));
    if (row != null && row.told < sequence) {
      aside.add(
          new WebhookState(
              deliveryId,
              sequence,
              type(deliveryId, sequence),
              WebhookState.State.SET_ASIDE,
              row.attempts + 1,
              error,
              clock.millis(),
              List.of()));
      settle(deliveryId, reader, sequence);
    }
  }

  private String type(String deliveryId, int sequence) {
    Delivery delivery = deliveries.get(deliveryId);
    DeliveryEvent event = delivery == null ? null : delivery.event(sequence);
    return event == null ? "" : event.step().eventType();
  }

  @Override
  public synchronized void delivered(String deliveryId, OutboxReader reader, WebhookAttempt attempt)
      throws IOException {
    answer();
    settle(deliveryId, reader, attempt.sequence());
  }

  @Override
  public synchronized void retryNow(OutboxReader reader, List<String> deliveryIds, long nowMillis)
      throws IOException {
    answer();
    for (String id : deliveryIds) {
      Row row = rows.get(new InFlightWebhooks.Key(reader, id));
      if (row != null && row.dueAt > nowMillis) {
        row.dueAt = nowMillis;
      }
    }
    changes.fire();
  }

  @Override
  public synchronized void put(Partner partner) {
    partners.put(PartnerBulkhead.Key.of(partner), partner);
  }

  @Override
  public synchronized Kept all() throws IOException {
    answer();
    return new Kept(List.copyOf(partners.values()), List.of());
  }

  @Override
  public synchronized @Nullable Partner find(OutboxReader reader, String id) {
    return partners.get(new PartnerBulkhead.Key(reader, id));
  }

  @Override
  public synchronized boolean lease(int shard, String holder, long nowMillis, long untilMillis) {
    Lease present = leases.get(shard);
    if (present != null && !present.holder().equals(holder) && present.until() > nowMillis) {
      return false;
    }
    leases.put(shard, new Lease(holder, untilMillis));
    return true;
  }

  @Override
  public synchronized void release(int shard, String holder) {
    Lease present = leases.get(shard);
    if (present != null && present.holder().equals(holder)) {
      leases.remove(shard);
    }
  }

  @Override
  public PartnerWebhooks webhooks() {
    return new PartnerWebhooks() {
      @Override
      public long retryNow(OutboxReader reader, String partnerId, long nowMillis)
          throws IOException {
        return retryAll(reader, partnerId, nowMillis);
      }

      @Override
      public long replay(OutboxReader reader, String partnerId, long fromMillis) {
        return replayAll(reader, partnerId, fromMillis);
      }

      @Override
      public WebhookState.Page page(
          Partner partner, WebhookState.@Nullable State state, @Nullable String before, int limit) {
        throw new UnsupportedOperationException();
      }

      @Override
      public int waiting(OutboxReader reader, String partnerId, int max) {
        throw new UnsupportedOperationException();
      }

      @Override
      public void redelivered(String deliveryId, OutboxReader reader, WebhookAttempt attempt) {
        throw new UnsupportedOperationException();
      }
    };
  }

  private synchronized long retryAll(OutboxReader reader, String partnerId, long nowMillis)
      throws IOException {
    List<String> ids = new ArrayList<>();
    rows.forEach(
        (key, row) -> {
          Delivery delivery = deliveries.get(key.deliveryId());
          if (key.reader() == reader
              && delivery != null
              && partnerId.equals(reader.partnerId(delivery))
              && row.told < delivery.version()
              && row.dueAt > nowMillis) {
            ids.add(key.deliveryId());
          }
        });
    retryNow(reader, ids, nowMillis);
    return ids.size();
  }

  private synchronized long replayAll(OutboxReader reader, String partnerId, long fromMillis) {
    long count = 0;
    for (Delivery delivery : deliveries.values()) {
      Row row = rows.get(new InFlightWebhooks.Key(reader, delivery.id()));
      if (row != null
          && partnerId.equals(reader.partnerId(delivery))
          && delivery.createdAtMillis() >= fromMillis) {
        row.told = 0;
        row.attempts = 0;
        row.since = 0;
        row.error = null;
        row.dueAt = clock.millis();
        count++;
      }
    }
    changes.fire();
    return count;
  }

  @Override
  public boolean onChange(WakeSignal signal) {
    changes.add(signal);
    return true;
  }

  /** Whether every event of this reader is sent, set aside or not wanted. */
  @Override
  public synchronized boolean isEmpty(OutboxReader reader) {
    return rows.entrySet().stream()
        .filter(entry -> entry.getKey().reader() == reader)
        .allMatch(entry -> isTold(entry.getKey(), entry.getValue()));
  }

  private boolean isTold(InFlightWebhooks.Key key, Row row) {
    Delivery delivery = deliveries.get(key.deliveryId());
    return delivery == null
        || row.told >= delivery.version()
        || (key.reader() == OutboxReader.AGENCY && delivery.agencyId() == null);
  }

  synchronized List<Delivery> deliveries() {
    return List.copyOf(deliveries.values());
  }

  private void answer() throws IOException {
    writes++;
    if (isBroken) {
      throw new IOException("the store does not answer");
    }
  }
}
