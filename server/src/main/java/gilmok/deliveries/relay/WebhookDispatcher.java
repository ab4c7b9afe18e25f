package gilmok.deliveries.relay;

import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryEvent;
import gilmok.deliveries.DeliveryId;
import gilmok.deliveries.Outbox;
import gilmok.deliveries.Outbox.Due;
import gilmok.deliveries.Outbox.Reader;
import gilmok.deliveries.Partner;
import gilmok.deliveries.UnreadableDeliveries;
import java.io.IOException;
import java.util.List;

/**
 * Tells a partner of one delivery, event by event, and notes in the outbox what became of each.
 * From any thread that may block.
 */
final class WebhookDispatcher {
  /** The longest a delivery is put off because its partner's breaker is open. */
  private static final long PUT_OFF_MILLIS_MAX = 5 * 60_000L;

  /** How long one is put off for which there is no room. */
  private static final long ROOM_MILLIS = 2_000;

  /** How long one is put off whose partner cannot be read: each time is a write. */
  private static final long UNREADABLE_MILLIS = 60_000;

  private final RelayContext context;
  private final Partners partners;
  private final Leases leases;
  private final WebhookSender sender;
  private final AddressGuard guard;
  private final RelayMeter meter;
  private volatile boolean stopping;

  WebhookDispatcher(
      RelayContext context,
      Partners partners,
      Leases leases,
      WebhookSender sender,
      AddressGuard guard,
      RelayMeter meter) {
    this.context = context;
    this.partners = partners;
    this.leases = leases;
    this.sender = sender;
    this.guard = guard;
    this.meter = meter;
  }

  /** How far the telling of one delivery is. */
  private static final class Progress {
    final Due due;
    final PartnerBulkhead bulkhead;
    int told;
    int attempts;
    long sinceMillis;

    Progress(Due due, PartnerBulkhead bulkhead) {
      this.due = due;
      this.bulkhead = bulkhead;
      told = due.told();
      attempts = due.attempts();
      sinceMillis = due.sinceMillis();
    }

    void settled(int sequence) {
      told = sequence;
      attempts = 0;
      sinceMillis = 0;
    }
  }

  /** Nothing new is begun from now on; what is on its way ends. */
  void stop() {
    stopping = true;
  }

  /**
   * Tells what is untold of a delivery, until something stands in the way.
   *
   * @return when its shard should be looked at again, epoch ms; 0 at once, {@link Long#MAX_VALUE}
   *     when there is no reason to
   */
  long tell(PartnerBulkhead bulkhead, Due due) throws IOException, InterruptedException {
    Progress progress = new Progress(due, bulkhead);
    while (!stopping) {
      Partner partner = partners.get(bulkhead.key().reader(), bulkhead.key().partnerId());
      DeliveryEvent event = partner == null ? null : partner.next(due.delivery(), progress.told);
      if (partner == null || event == null) {
        return progress.told == due.delivery().version() ? Long.MAX_VALUE : 0;
      }
      long now = context.clock().millis();
      int shard = DeliveryId.shard(due.delivery().id());
      if (!leases.mayTell(shard, now, config().timeout())) {
        return Long.MAX_VALUE;
      }
      CircuitBreaker.Permit permit = bulkhead.ask(now);
      if (permit == CircuitBreaker.Permit.REFUSED) {
        return putOff(progress, event);
      }
      WebhookOutcome outcome = call(progress, partner, event, permit);
      if (!outcome.isSuccess()) {
        long next = failed(progress, partner, event, outcome);
        if (next > 0) {
          return next;
        }
      }
    }
    return Long.MAX_VALUE;
  }

  private WebhookOutcome call(
      Progress progress, Partner partner, DeliveryEvent event, CircuitBreaker.Permit permit)
      throws IOException, InterruptedException {
    Delivery delivery = progress.due.delivery();
    WebhookOutcome outcome = WebhookOutcome.none("interrupted");
    long start = System.nanoTime();
    try {
      outcome = send(partner, Webhook.of(delivery, event), progress.attempts);
    } finally {
      progress.bulkhead.note(permit, outcome, context.clock().millis());
      meter.called(progress.bulkhead.key(), outcome, System.nanoTime() - start);
    }
    if (outcome.isSuccess()) {
      context
          .outbox()
          .told(List.of(new Outbox.Told(delivery.id(), progress.due.reader(), event.sequence())));
      meter.told(event, context.clock().millis());
      progress.settled(event.sequence());
    }
    return outcome;
  }

  /** Sends one webhook now, whatever else is being told. */
  WebhookOutcome send(Partner partner, Webhook webhook, int attempts) throws InterruptedException {
    return switch (WebhookTarget.read(partner.url(), guard)) {
      case WebhookTarget.Reading.Bad bad -> WebhookOutcome.none("the url " + bad.reason());
      case WebhookTarget.Reading.Good good ->
          sender.send(
              webhook.call(
                  partner,
                  good.target(),
                  config().secretOverlap(),
                  context.clock().millis(),
                  attempts));
    };
  }

  /** Notes a failure; 0 when the next event's turn has come. */
  private long failed(
      Progress progress, Partner partner, DeliveryEvent event, WebhookOutcome outcome)
      throws IOException, InterruptedException {
    Due due = progress.due;
    long now = context.clock().millis();
    if (outcome.status() == WebhookOutcome.GONE) {
      // The specification's way to say that nothing is wanted any more.
      partners.silence(partner, now);
      meter.gone.increment();
      setAside(progress, event, outcome.error());
      return 0;
    }
    progress.attempts++;
    progress.sinceMillis = progress.sinceMillis == 0 ? now : progress.sinceMillis;
    if (now - progress.sinceMillis >= config().retry().giveUpAfter().toMillis()) {
      setAside(progress, event, outcome.error());
      return 0;
    }
    long asked = Math.min(outcome.retryAfterMillis(), config().retry().max().toMillis());
    long next = now + Math.max(backoff().millis(progress.attempts), asked);
    if (outcome.isThrottled()) {
      progress.bulkhead.holdBack(next);
    }
    context
        .outbox()
        .failed(due.delivery().id(), due.reader(), progress.attempts, next, outcome.error());
    return next;
  }

  private void setAside(Progress progress, DeliveryEvent event, String error)
      throws IOException, InterruptedException {
    Reader reader = progress.due.reader();
    context.outbox().setAside(progress.due.delivery().id(), reader, event.sequence(), error);
    meter.setAside(reader);
    progress.settled(event.sequence());
  }

  /**
   * Puts a delivery off because its partner's breaker is open, or sets its next event aside when
   * that has been so for too long.
   */
  long putOff(PartnerBulkhead bulkhead, Due due, DeliveryEvent event)
      throws IOException, InterruptedException {
    return putOff(new Progress(due, bulkhead), event);
  }

  private long putOff(Progress progress, DeliveryEvent event)
      throws IOException, InterruptedException {
    Due due = progress.due;
    long now = context.clock().millis();
    long failingSince = progress.bulkhead.failingSince();
    long since = Math.max(failingSince, event.recordedAtMillis());
    if (progress.sinceMillis > 0) {
      since = Math.min(since, progress.sinceMillis);
    }
    if (failingSince > 0 && now - since >= config().retry().giveUpAfter().toMillis()) {
      setAside(progress, event, "the partner has been failing for too long");
      return 0;
    }
    // The longer it has been so, the seldomer: each time is a write for each delivery.
    long longest = longestPutOffMillis();
    // Not by when it was written that it failed first: another clock may have written that.
    long open = failingSince > 0 ? now - failingSince : 0;
    long pause = Math.min(Math.max(config().breaker().pause().toMillis(), open / 2), longest);
    long next = Math.max(progress.bulkhead.blockedUntil(now), now + backoff().jitter(pause));
    context
        .outbox()
        .failed(due.delivery().id(), due.reader(), progress.attempts, next, "the breaker is open");
    meter.putOff(RelayMeter.Put.BREAKER);
    return next;
  }

  /** Puts a delivery off, the longer the oftener it has failed, because telling it has a bug. */
  long putOffForBug(Due due, Throwable bug) throws IOException, InterruptedException {
    int attempts = due.attempts() + 1;
    long next = context.clock().millis() + backoff().millis(attempts);
    context
        .outbox()
        .failed(due.delivery().id(), due.reader(), attempts, next, "a bug of ours: " + bug);
    meter.putOff(RelayMeter.Put.BUG);
    return next;
  }

  private RelayConfig config() {
    return context.config().get();
  }

  private RetryBackoff backoff() {
    RelayConfig.Retry retry = config().retry();
    return new RetryBackoff(retry.min(), retry.max(), context.random());
  }

  private long longestPutOffMillis() {
    return Math.max(
        config().breaker().pause().toMillis(),
        Math.min(PUT_OFF_MILLIS_MAX, config().retry().max().toMillis()));
  }

  /** The longest time for which anything is put off, and some more. */
  long longestMillis() {
    long longest = Math.max(config().retry().max().toMillis(), UnreadableDeliveries.PUT_OFF_MILLIS);
    return 2 * Math.max(longest, longestPutOffMillis());
  }

  /** Puts a delivery off because nobody can read what its partner wants; nothing of it is lost. */
  void putOffForPartner(Due due) throws IOException, InterruptedException {
    long next = context.clock().millis() + backoff().jitter(UNREADABLE_MILLIS);
    context
        .outbox()
        .failed(
            due.delivery().id(), due.reader(), due.attempts(), next, "its partner cannot be read");
    meter.putOff(RelayMeter.Put.PARTNER);
  }

  /** Puts a delivery off for a moment because there is no room in its partner's line. */
  long putOffForRoom(Due due) throws IOException, InterruptedException {
    long next = context.clock().millis() + backoff().jitter(ROOM_MILLIS);
    context
        .outbox()
        .failed(due.delivery().id(), due.reader(), due.attempts(), next, "its partner is slow");
    meter.putOff(RelayMeter.Put.FULL);
    return next;
  }
}
