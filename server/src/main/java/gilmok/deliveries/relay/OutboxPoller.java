package gilmok.deliveries.relay;

import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryEvent;
import gilmok.deliveries.DeliveryId;
import gilmok.deliveries.Outbox;
import gilmok.deliveries.Outbox.Due;
import gilmok.deliveries.Outbox.Told;
import gilmok.deliveries.OutboxReader;
import gilmok.deliveries.OutboxWatch;
import gilmok.deliveries.Partner;
import gilmok.deliveries.Shards;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Polls the outbox for this node's shards: finds deliveries with due webhooks and hands them to
 * their partners' bulkheads. {@link #pass} belongs to the relay's thread; {@link #changed} is safe
 * from any thread; webhooks are sent on the executor's threads.
 */
final class OutboxPoller {
  private static final OutboxReader[] READERS = {OutboxReader.SHOP, OutboxReader.AGENCY};
  private static final int PAGE = 100;
  private static final int PAGE_MAX = 1_000;

  /** How soon a shard is polled again if a delivery found its partner's bulkhead full. */
  private static final long AGAIN_MILLIS = 250;

  private static final long QUIET_MILLIS = 60_000;
  private static final System.Logger LOG = System.getLogger("gilmok.relay");

  private final RelayContext context;
  private final Partners partners;
  private final Leases leases;
  private final PartnerBulkheads bulkheads;
  private final WebhookDispatcher dispatcher;
  private final Executor executor;
  private final RelayMeter meter;
  private final long pollMillis;
  private final InFlightWebhooks inFlight = new InFlightWebhooks();
  private final AtomicLong changed = new AtomicLong();
  private final AtomicLongArray lookAt = new AtomicLongArray(DeliveryId.SHARDS);
  private final OutboxWatch watch;
  private long sweepAt;
  private long lookedMillis;
  private int heldBefore;
  private volatile Runnable onChange = () -> {};

  OutboxPoller(
      RelayContext context,
      Partners partners,
      Leases leases,
      PartnerBulkheads bulkheads,
      WebhookDispatcher dispatcher,
      Executor executor,
      RelayMeter meter) {
    this.context = context;
    this.partners = partners;
    this.leases = leases;
    this.bulkheads = bulkheads;
    this.dispatcher = dispatcher;
    this.executor = executor;
    this.meter = meter;
    pollMillis = context.config().get().pollInterval().toMillis();
    watch = new OutboxWatch(context.outbox(), List.of(READERS), () -> onChange.run());
  }

  /** Sets what runs when a shard should be polled before its time: it wakes the relay's thread. */
  void onChange(Runnable wakes) {
    onChange = wakes;
  }

  /** Hints that a delivery has changed, so that its shard is polled at once. */
  void changed(Delivery delivery) {
    for (OutboxReader reader : READERS) {
      String id = reader.partnerId(delivery);
      if (id != null && partners.get(reader, id) != null) {
        mark(1L << DeliveryId.shard(delivery.id()));
        return;
      }
    }
  }

  /** Polls all shards at once, as many deliveries have become due. */
  void pollAll() {
    mark(-1L);
  }

  private void mark(long shards) {
    if (changed.getAndAccumulate(shards, (one, other) -> one | other) == 0) {
      onChange.run();
    }
  }

  /** Schedules the next poll of a shard, epoch ms; 0 for at once. */
  private void lookAt(int shard, long millis) {
    if (millis == 0) {
      mark(1L << shard);
    } else {
      lookAt.accumulateAndGet(shard, millis, Math::min);
      onChange.run();
    }
  }

  /** How many deliveries have webhooks in flight. */
  int inFlight() {
    return inFlight.size();
  }

  /**
   * One round: renews leases, reads partners again, polls the shards that are due. Returns when the
   * next one is due if nothing changes before, epoch ms.
   */
  long pass() throws IOException, InterruptedException {
    leases.renew(shard -> inFlight.of(shard) == 0);
    partners.refresh();
    bringForward();
    if (watch.isQuiet() && changed.get() == 0) {
      return context.clock().millis() + QUIET_MILLIS;
    }
    retryEarly();
    long now = context.clock().millis();
    boolean isSweep = watch.isTold() && isOver(sweepAt, now);
    if (isSweep) {
      sweepAt = now + pollMillis;
      changed.set(-1L);
      watch.beginSweep();
    }
    Shards marked = new Shards(changed.getAndSet(0));
    Shards shards = new Shards(0);
    for (int shard = 0; shard < DeliveryId.SHARDS; shard++) {
      boolean isWanted = marked.has(shard) || isOver(lookAt.get(shard), now);
      if (isWanted && leases.holds(shard, now)) {
        lookAt.set(shard, now + pollMillis);
        shards = shards.with(shard);
      }
    }
    look(shards, now);
    watch.found(changed.get() != 0 || inFlight.size() > 0 || partners.unreadable() > 0);
    if (isSweep && watch.endSweep()) {
      return now + QUIET_MILLIS;
    }
    long next = now + pollMillis;
    for (int shard = 0; shard < DeliveryId.SHARDS; shard++) {
      if (leases.holds(shard, now)) {
        next = Math.min(next, lookAt.get(shard));
      }
    }
    return next;
  }

  /** Makes due what is to be tried before its time, as its partner may answer again. */
  private void retryEarly() throws IOException, InterruptedException {
    for (PartnerBulkhead bulkhead : bulkheads.all()) {
      long now = context.clock().millis();
      PartnerBulkhead.Early early = bulkhead.early(now);
      OutboxReader reader = bulkhead.key().reader();
      if (early.isAll()) {
        retryAll(bulkhead, now);
      } else if (!early.deliveryIds().isEmpty()) {
        context.outbox().retryNow(reader, early.deliveryIds(), now);
        early.deliveryIds().forEach(id -> mark(1L << DeliveryId.shard(id)));
      }
    }
  }

  private void retryAll(PartnerBulkhead bulkhead, long now)
      throws IOException, InterruptedException {
    PartnerBulkhead.Key key = bulkhead.key();
    boolean isDone = false;
    try {
      long waited = context.outbox().webhooks().retryNow(key.reader(), key.partnerId(), now);
      isDone = true;
      if (waited > 0) {
        meter.recovered.increment();
        pollAll();
      }
    } finally {
      if (!isDone) {
        bulkhead.allEarly();
      }
    }
  }

  /**
   * Polls shards. If that fails, the next pass polls them again; else they would be skipped until
   * their next poll, without a sign.
   */
  private void look(Shards shards, long now) throws IOException, InterruptedException {
    boolean isLooked = false;
    try {
      for (OutboxReader reader : READERS) {
        lookAtAll(reader, shards, now);
      }
      isLooked = true;
    } finally {
      if (!isLooked) {
        changed.getAndUpdate(more -> more | shards.bits());
      }
    }
  }

  /**
   * Makes due now what was recorded or put off while a clock was ahead. Done when the clock was set
   * back, and when this node has got more shards. After a start or a clock set back, it is unknown
   * by which clock something was put off, so all of it is tried at once.
   */
  private void bringForward() throws IOException, InterruptedException {
    long now = context.clock().millis();
    Shards held = new Shards(0);
    for (int shard = 0; shard < DeliveryId.SHARDS; shard++) {
      held = leases.holds(shard, now) ? held.with(shard) : held;
    }
    boolean isSetBack = now < lookedMillis - Outbox.CLOCK_MILLIS;
    if (isSetBack || held.count() > heldBefore) {
      boolean isAll = isSetBack || heldBefore == 0;
      long longest = isAll ? Outbox.CLOCK_MILLIS : dispatcher.longestMillis();
      for (OutboxReader reader : READERS) {
        context.outbox().bringForward(reader, held, now, longest);
      }
    }
    heldBefore = held.count();
    lookedMillis = now;
  }

  /**
   * Whether a time has passed. One further away than the next poll was set by a wrong clock, and
   * counts as passed.
   */
  private boolean isOver(long millis, long now) {
    return millis <= now || millis - now > pollMillis;
  }

  /**
   * Polls all shards with one query, as usually little is due. If the page is full, polls each
   * shard by itself.
   */
  private void lookAtAll(OutboxReader reader, Shards shards, long now)
      throws IOException, InterruptedException {
    if (shards.count() == 0) {
      return;
    }
    shards.forEach(shard -> inFlight.look(reader, shard));
    List<Due> page = context.outbox().due(reader, shards, now, PAGE_MAX);
    watch.found(!page.isEmpty());
    if (page.size() < PAGE_MAX) {
      for (Due full : begin(reader, page, now)) {
        lookAt(DeliveryId.shard(full.delivery().id()), now + AGAIN_MILLIS);
      }
      return;
    }
    for (int shard = 0; shard < DeliveryId.SHARDS; shard++) {
      if (shards.has(shard)) {
        look(reader, shard, now);
      }
    }
  }

  private void look(OutboxReader reader, int shard, long now)
      throws IOException, InterruptedException {
    inFlight.look(reader, shard);
    int limit = Math.min(PAGE_MAX, PAGE + inFlight.of(shard));
    List<Due> page = context.outbox().due(reader, Shards.of(shard), now, limit);
    List<Due> full = begin(reader, page, now);
    if (!full.isEmpty()) {
      lookAt(shard, now + AGAIN_MILLIS);
    }
    if (page.size() == limit) {
      // A page of deliveries without room hides others that could go, so these are put off briefly.
      if (2 * full.size() >= limit) {
        for (Due due : full) {
          dispatcher.putOffForRoom(due);
        }
      }
      lookAt(shard, full.isEmpty() ? 0 : now + AGAIN_MILLIS);
    }
  }

  /** Hands due deliveries to their partners' bulkheads. Returns those that found no room. */
  private List<Due> begin(OutboxReader reader, List<Due> page, long now)
      throws IOException, InterruptedException {
    List<Told> unwanted = new ArrayList<>();
    List<Due> full = new ArrayList<>();
    for (Due due : page) {
      InFlightWebhooks.Key key = InFlightWebhooks.Key.of(due);
      // The query may have taken so long that another node has the shard by now.
      if (!leases.holds(key.shard(), context.clock().millis()) || !inFlight.begin(key)) {
        continue;
      }
      boolean isGiven = false;
      try {
        isGiven = give(due, now, unwanted, full);
      } finally {
        if (!isGiven) {
          inFlight.end(key);
        }
      }
    }
    if (!unwanted.isEmpty()) {
      context.outbox().told(unwanted);
      meter.skipped(reader, unwanted.size());
    }
    return full;
  }

  /** Hands a delivery to its partner's bulkhead; false when it is not in flight afterwards. */
  private boolean give(Due due, long now, List<Told> unwanted, List<Due> full)
      throws IOException, InterruptedException {
    Delivery delivery = due.delivery();
    String id = due.reader().partnerId(delivery);
    Partner partner = id == null ? null : partners.get(due.reader(), id);
    DeliveryEvent event = partner == null ? null : partner.next(delivery, due.told());
    if (partner == null && id != null && partners.isUnreadable(due.reader(), id)) {
      dispatcher.putOffForPartner(due);
      return false;
    }
    if (partner == null || event == null) {
      if (partners.isKnownFor(delivery.updatedAtMillis())) {
        unwanted.add(new Told(delivery.id(), due.reader(), delivery.version()));
      }
      return false;
    }
    PartnerBulkhead bulkhead = bulkheads.of(partner);
    if (bulkhead.blockedUntil(now) > now) {
      dispatcher.putOff(bulkhead, due, event);
      return false;
    }
    return switch (bulkhead.offer(due)) {
      case BEGIN -> {
        begin(bulkhead, due);
        yield true;
      }
      case WAITS -> true;
      case FULL -> {
        full.add(due);
        yield false;
      }
    };
  }

  private void begin(PartnerBulkhead bulkhead, Due due) {
    try {
      executor.execute(() -> work(bulkhead, due));
    } catch (Throwable noThread) {
      // No thread will take the waiting deliveries and this one: give them up. They stay due.
      bulkhead.giveUp().forEach(left -> inFlight.end(InFlightWebhooks.Key.of(left)));
      throw noThread;
    }
  }

  /**
   * Puts a delivery off after a bug, so that it is not tried at every poll. Returns when it is due
   * again, epoch ms.
   */
  private long putOff(Due due, Throwable bug) {
    String id = due.delivery().id();
    LOG.log(
        System.Logger.Level.ERROR,
        "a bug in sending webhooks of the delivery " + id + "; they are retried later",
        bug);
    try {
      return dispatcher.putOffForBug(due, bug);
    } catch (IOException failed) {
      meter.storeFailures.increment();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
    return context.clock().millis() + pollMillis;
  }

  /** Sends the webhooks of one delivery after another until none waits in the bulkhead. */
  private void work(PartnerBulkhead bulkhead, Due first) {
    Due due = first;
    while (due != null) {
      long again = context.clock().millis() + pollMillis;
      int shard = DeliveryId.shard(due.delivery().id());
      try {
        again = dispatcher.tell(bulkhead, due);
      } catch (IOException failed) {
        meter.storeFailures.increment();
      } catch (InterruptedException stopping) {
        Thread.currentThread().interrupt();
        inFlight.end(InFlightWebhooks.Key.of(due));
        bulkhead.giveUp().forEach(left -> inFlight.end(InFlightWebhooks.Key.of(left)));
        return;
      } catch (RuntimeException | Error bug) {
        again = putOff(due, bug);
      }
      inFlight.end(InFlightWebhooks.Key.of(due));
      if (again != Long.MAX_VALUE) {
        lookAt(shard, again);
      }
      due = bulkhead.next();
    }
  }
}
