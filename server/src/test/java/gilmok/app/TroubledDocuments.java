package gilmok.app;

import gilmok.audit.AuditStore;
import gilmok.auth.KeyStore;
import gilmok.collect.devices.DeviceStore;
import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryErasure;
import gilmok.deliveries.DeliveryStore;
import gilmok.deliveries.Move;
import gilmok.deliveries.Outbox;
import gilmok.deliveries.OutboxReader;
import gilmok.deliveries.Partner;
import gilmok.deliveries.PartnerStore;
import gilmok.deliveries.PartnerWebhooks;
import gilmok.deliveries.Shards;
import gilmok.deliveries.StoredDelivery;
import gilmok.deliveries.WebhookAttempt;
import gilmok.deliveries.WebhookState;
import gilmok.erasure.Erasable;
import gilmok.erasure.ErasureConfig;
import gilmok.event.DayRange;
import gilmok.missions.MissionStore;
import gilmok.missions.OldMission;
import gilmok.privacy.Privacy;
import gilmok.retention.DocumentRemoval;
import gilmok.statements.DaySums;
import gilmok.statements.EntryStore;
import gilmok.statements.StatementEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Documents that fail for requests when {@link Trouble} says so. */
record TroubledDocuments(Documents real, Trouble trouble) implements Documents {
  @Override
  public KeyStore keys() {
    return new Keys(real.keys(), trouble);
  }

  @Override
  public DeliveryStore deliveries() {
    return new Deliverys(real.deliveries(), trouble);
  }

  @Override
  public Outbox outbox() {
    return new Untold(real.outbox(), trouble);
  }

  @Override
  public DocumentRemoval<StoredDelivery> deliveryRemoval() {
    return real.deliveryRemoval();
  }

  @Override
  public DocumentRemoval<StatementEntry> entryRemoval() {
    return real.entryRemoval();
  }

  @Override
  public DocumentRemoval<OldMission> missionRemoval() {
    return real.missionRemoval();
  }

  @Override
  public PartnerStore partners() {
    return new Partners(real.partners(), trouble);
  }

  @Override
  public EntryStore statements() {
    return new Entries(real.statements(), trouble);
  }

  @Override
  public AuditStore audit() {
    return new TroubledAudit(real.audit(), trouble);
  }

  @Override
  public Privacy.Stores privacy() {
    return TroubledRegister.of(real.privacy(), trouble);
  }

  @Override
  public MissionStore missions() {
    return new TroubledMissions(real.missions(), trouble);
  }

  @Override
  public @Nullable DeviceStore devices() {
    return real.devices();
  }

  @Override
  public DeliveryErasure deliveryErasure() {
    return real.deliveryErasure();
  }

  @Override
  public List<Erasable> erasables(ErasureConfig config) {
    return real.erasables(config);
  }

  @Override
  public boolean areShared() {
    return real.areShared();
  }

  @Override
  public @Nullable String fault() {
    return real.fault();
  }

  @Override
  public List<String> lookAgain() throws IOException, InterruptedException {
    return real.lookAgain();
  }

  @Override
  public void prepare() throws IOException, InterruptedException {
    real.prepare();
  }

  @Override
  public void prepareAs(Documents other) throws IOException, InterruptedException {
    real.prepareAs(other);
  }

  @Override
  public void awaitConnections(Duration patience) throws InterruptedException {
    real.awaitConnections(patience);
  }

  @Override
  public void close() throws IOException {
    real.close();
  }

  private record Keys(KeyStore real, Trouble trouble) implements KeyStore {
    @Override
    public List<KeyStore.Kept> all() throws IOException, InterruptedException {
      trouble.strike();
      return real.all();
    }

    @Override
    public void change(Collection<KeyStore.Kept> put, Collection<String> removed)
        throws IOException, InterruptedException {
      trouble.strike();
      real.change(put, removed);
    }

    @Override
    public long revision() throws IOException, InterruptedException {
      trouble.strike();
      return real.revision();
    }

    @Override
    public boolean isShared() {
      return real.isShared();
    }
  }

  private record Deliverys(DeliveryStore real, Trouble trouble) implements DeliveryStore {
    @Override
    public List<Creation> create(List<Wish> wishes) throws IOException, InterruptedException {
      trouble.strike();
      return real.create(wishes);
    }

    @Override
    public Moving move(String id, Move move) throws IOException, InterruptedException {
      trouble.strike();
      return real.move(id, move);
    }

    @Override
    public @Nullable Delivery act(String id, Move action) throws IOException, InterruptedException {
      trouble.strike();
      return real.act(id, action);
    }

    @Override
    public @Nullable Delivery find(String id) throws IOException, InterruptedException {
      trouble.strike();
      return real.find(id);
    }

    @Override
    public List<Delivery> list(Filter filter, @Nullable String before, int limit)
        throws IOException, InterruptedException {
      trouble.strike();
      return real.list(filter, before, limit);
    }

    @Override
    public List<Delivery> after(String id, int limit) throws IOException, InterruptedException {
      trouble.strike();
      return real.after(id, limit);
    }

    @Override
    public String removedTo() throws IOException, InterruptedException {
      trouble.strike();
      return real.removedTo();
    }

    @Override
    public List<Optional<Delivery>> restore(List<Delivery> past)
        throws IOException, InterruptedException {
      trouble.strike();
      return real.restore(past);
    }
  }

  private record Untold(Outbox real, Trouble trouble) implements Outbox {
    @Override
    public List<Due> due(OutboxReader reader, Shards shards, long nowMillis, int limit)
        throws IOException, InterruptedException {
      trouble.strike();
      return real.due(reader, shards, nowMillis, limit);
    }

    @Override
    public void bringForward(OutboxReader reader, Shards shards, long nowMillis, long longestMillis)
        throws IOException, InterruptedException {
      trouble.strike();
      real.bringForward(reader, shards, nowMillis, longestMillis);
    }

    @Override
    public void told(List<Told> all) throws IOException, InterruptedException {
      trouble.strike();
      real.told(all);
    }

    @Override
    public void delivered(String deliveryId, OutboxReader reader, WebhookAttempt attempt)
        throws IOException, InterruptedException {
      trouble.strike();
      real.delivered(deliveryId, reader, attempt);
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
      trouble.strike();
      real.failed(deliveryId, reader, attempts, dueAtMillis, error, attempt);
    }

    @Override
    public void setAside(
        String deliveryId,
        OutboxReader reader,
        int sequence,
        String error,
        @Nullable WebhookAttempt attempt)
        throws IOException, InterruptedException {
      trouble.strike();
      real.setAside(deliveryId, reader, sequence, error, attempt);
    }

    @Override
    public void retryNow(OutboxReader reader, List<String> deliveryIds, long nowMillis)
        throws IOException, InterruptedException {
      trouble.strike();
      real.retryNow(reader, deliveryIds, nowMillis);
    }

    @Override
    public PartnerWebhooks webhooks() {
      return new Listed(real.webhooks(), trouble);
    }
  }

  private record Listed(PartnerWebhooks real, Trouble trouble) implements PartnerWebhooks {
    @Override
    public WebhookState.Page page(
        Partner partner, WebhookState.@Nullable State state, @Nullable String before, int limit)
        throws IOException, InterruptedException {
      trouble.strike();
      return real.page(partner, state, before, limit);
    }

    @Override
    public int waiting(OutboxReader reader, String partnerId, int max)
        throws IOException, InterruptedException {
      trouble.strike();
      return real.waiting(reader, partnerId, max);
    }

    @Override
    public void redelivered(String deliveryId, OutboxReader reader, WebhookAttempt attempt)
        throws IOException, InterruptedException {
      trouble.strike();
      real.redelivered(deliveryId, reader, attempt);
    }

    @Override
    public long retryNow(OutboxReader reader, String partnerId, long nowMillis)
        throws IOException, InterruptedException {
      trouble.strike();
      return real.retryNow(reader, partnerId, nowMillis);
    }

    @Override
    public long replay(OutboxReader reader, String partnerId, long fromMillis)
        throws IOException, InterruptedException {
      trouble.strike();
      return real.replay(reader, partnerId, fromMillis);
    }
  }

  private record Partners(PartnerStore real, Trouble trouble) implements PartnerStore {
    @Override
    public void put(Partner partner) throws IOException, InterruptedException {
      trouble.strike();
      real.put(partner);
    }

    @Override
    public Kept all() throws IOException, InterruptedException {
      trouble.strike();
      return real.all();
    }

    @Override
    public @Nullable Partner find(OutboxReader reader, String id)
        throws IOException, InterruptedException {
      trouble.strike();
      return real.find(reader, id);
    }

    @Override
    public boolean lease(int shard, String holder, long nowMillis, long untilMillis)
        throws IOException, InterruptedException {
      trouble.strike();
      return real.lease(shard, holder, nowMillis, untilMillis);
    }

    @Override
    public void release(int shard, String holder) throws IOException, InterruptedException {
      trouble.strike();
      real.release(shard, holder);
    }
  }

  private record Entries(EntryStore real, Trouble trouble) implements EntryStore {
    @Override
    public Added add(List<StatementEntry> entries) throws IOException, InterruptedException {
      trouble.strike();
      return real.add(entries);
    }

    @Override
    public long keptFromMillis() throws IOException, InterruptedException {
      trouble.strike();
      return real.keptFromMillis();
    }

    @Override
    public DaySums sum(String riderId, DayRange days, String currency)
        throws IOException, InterruptedException {
      trouble.strike();
      return real.sum(riderId, days, currency);
    }

    @Override
    public List<StatementEntry> page(
        String riderId,
        long fromMillis,
        long untilMillis,
        @Nullable StatementEntry after,
        int limit)
        throws IOException, InterruptedException {
      trouble.strike();
      return real.page(riderId, fromMillis, untilMillis, after, limit);
    }

    @Override
    public List<StatementEntry> after(String id, int limit)
        throws IOException, InterruptedException {
      trouble.strike();
      return real.after(id, limit);
    }
  }
}
