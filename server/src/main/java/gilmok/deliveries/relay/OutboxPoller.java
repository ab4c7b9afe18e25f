package gilmok.deliveries.relay;

import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryEvent;
import gilmok.deliveries.DeliveryId;
import gilmok.deliveries.Outbox;
import gilmok.deliveries.Outbox.Due;
import gilmok.deliveries.Outbox.Reader;
import gilmok.deliveries.Outbox.Told;
import gilmok.deliveries.Partner;
import gilmok.deliveries.Shards;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Goes round the shards that this node has: takes what is due and gives it to the partners' lines.
 * {@link #pass} is one thread's; {@link #changed} and what the lines do may be called from any.
 */
final class OutboxPoller {
  private static final Reader[] READERS = {Reader.SHOP, Reader.AGENCY};
  private static final int PAGE = 100;
  private static final int PAGE_MAX = 1_000;

  /** When to look again at a shard of which something found no room. */
  private static final long AGAIN_MILLIS = 250;

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
  }

  /** What is run when something is to be looked at before its time. */
  void onChange(Runnable wakes) {
    onChange = wakes;
  }

  /** A delivery has changed; only a hint. */
  void changed(Delivery delivery) {
    for (Reader reader : READERS) {
      String id = reader.partnerId(delivery);
      if (id != null && partners.get(reader, id) != null) {
        mark(DeliveryId.shard(delivery.id()));
        return;
      }
    }
  }

  private void mark(int shard) {
    if (changed.getAndAccumulate(1L << shard, (one, other) -> one | other) == 0) {
      onChange.run();
    }
  }

  /** Looks at a shard again then, or at once for 0. */
  private void lookAt(int shard, long millis) {
    if (millis == 0) {
      mark(shard);
    } else {
      lookAt.accumulateAndGet(shard, millis, Math::min);
      onChange.run();
    }
  }

  /** How many deliveries are on their way. */
  int inFlight() {
    return inFlight.size();
  }

  /**
   * One round.
   *
   * @return when the next is due if nothing changes before, epoch ms
   */
  long pass() throws IOException, InterruptedException {
    leases.renew(shard -> inFlight.of(shard) == 0);
    partners.refresh();
    bringForward();
    Shards marked = new Shards(changed.getAndSet(0));
    long now = context.clock().millis();
    Shards shards = new Shards(0);
    for (int shard = 0; shard < DeliveryId.SHARDS; shard++) {
      boolean isWanted = marked.has(shard) || isOver(lookAt.get(shard), now);
      if (isWanted && leases.holds(shard, now)) {
        lookAt.set(shard, now + pollMillis);
        shards = shards.with(shard);
      }
    }
    look(shards, now);
    long next = now + pollMillis;
    for (int shard = 0; shard < DeliveryId.SHARDS; shard++) {
      if (leases.holds(shard, now)) {
        next = Math.min(next, lookAt.get(shard));
      }
    }
    return next;
  }

  /** Where that fails the next pass looks again: else it would do nothing, and seem to work. */
  private void look(Shards shards, long now) throws IOException, InterruptedException {
    boolean isLooked = false;
    try {
      for (Reader reader : READERS) {
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
   * What was put down or put off while the clock was ahead is due now. Looked for when the clock
   * was set back, and when this node has shards that it had not. After the first and after a start
   * nothing says under which clock something was put off, so all of it is tried at once.
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
      for (Reader reader : READERS) {
        context.outbox().bringForward(reader, held, now, longest);
      }
    }
    heldBefore = held.count();
    lookedMillis = now;
  }

  /** A time further away than the next poll is one that a clock has set that was wrong. */
  private boolean isOver(long millis, long now) {
    return millis <= now || millis - now > pollMillis;
  }

  /** Asks for all at once, as mostly there is little; if there is much, for each by itself. */
  private void lookAtAll(Reader reader, Shards shards, long now)
      throws IOException, InterruptedException {
    if (shards.count() == 0) {
      return;
    }
    shards.forEach(shard -> inFlight.look(reader, shard));
    List<Due> page = context.outbox().due(reader, shards, now, PAGE_MAX);
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

  private void look(Reader reader, int shard, long now) throws IOException, InterruptedException {
    inFlight.look(reader, shard);
    int limit = Math.min(PAGE_MAX, PAGE + inFlight.of(shard));
    List<Due> page = context.outbox().due(reader, Shards.of(shard), now, limit);
    List<Due> full = begin(reader, page, now);
    if (!full.isEmpty()) {
      lookAt(shard, now + AGAIN_MILLIS);
    }
    if (page.size() == limit) {
      // A page full of what cannot go hides what could: it gives way for a moment.
      if (2 * full.size() >= limit) {
        for (Due due : full) {
          dispatcher.putOffForRoom(due);
        }
      }
      lookAt(shard, full.isEmpty() ? 0 : now + AGAIN_MILLIS);
    }
  }

  /** Gives what is due to the partners' lines; answers what found no room in them. */
  private List<Due> begin(Reader reader, List<Due> page, long now)
      throws IOException, InterruptedException {
    List<Told> unwanted = new ArrayList<>();
    List<Due> full = new ArrayList<>();
    for (Due due : page) {
      InFlightWebhooks.Key key = InFlightWebhooks.Key.of(due);
      // The answer may have taken so long that the shard is another node's by now.
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

  /** Gives a delivery to its partner's line; false when it is not on its way then. */
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
      // Nobody takes what waits in the line, and its place: it is due all the same.
      bulkhead.giveUp().forEach(left -> inFlight.end(InFlightWebhooks.Key.of(left)));
      throw noThread;
    }
  }

  /** A bug in telling one is no reason to try it at each look; when it is due again. */
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

  /** Tells one delivery after another until the line is empty. */
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
