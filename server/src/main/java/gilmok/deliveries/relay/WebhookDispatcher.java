package gilmok.deliveries.relay;

import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryEvent;
import gilmok.deliveries.DeliveryId;
import gilmok.deliveries.Outbox.Due;
import gilmok.deliveries.OutboxReader;
import gilmok.deliveries.Partner;
import gilmok.deliveries.UnreadableDeliveries;
import gilmok.deliveries.WebhookAttempt;
import gilmok.trace.TraceContext;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Sends a partner the webhooks of one delivery, event by event, and notes each outcome in the
 * outbox. Thread-safe; methods block.
 */
final class WebhookDispatcher {
  /** How long a delivery is put off at most because its partner's breaker is open. */
  private static final long PUT_OFF_MILLIS_MAX = 5 * 60_000L;

  /** How long a delivery is put off whose partner's bulkhead is full. */
  private static final long ROOM_MILLIS = 2_000;

  /** How long a delivery is put off whose partner is unreadable. Each time costs a write. */
  private static final long UNREADABLE_MILLIS = 60_000;

  private final RelayContext context;
  private final Partners partners;
  private final Leases leases;
  private final WebhookSender sender;
  private final AddressGuard guard;
  private final RelayMeter meter;
  private final RiderDisclosure disclosure;
  private volatile boolean stopping;

  WebhookDispatcher(
      RelayContext context,
      Partners partners,
      Leases leases,
      WebhookSender sender,
      AddressGuard guard,
      RelayMeter meter,
      RiderDisclosure disclosure) {
    this.context = context;
    this.partners = partners;
    this.leases = leases;
    this.sender = sender;
    this.guard = guard;
    this.meter = meter;
    this.disclosure = disclosure;
  }

  /** The progress in one delivery's events. */
  private static final class Progress {
    final Due due;
    final PartnerBulkhead bulkhead;
    int settledThrough;
    int attempts;
    long sinceMillis;

    /** The last call; null before the first one. */
    @Nullable WebhookAttempt attempt;

    Progress(Due due, PartnerBulkhead bulkhead) {
      this.due = due;
      this.bulkhead = bulkhead;
      settledThrough = due.told();
      attempts = due.attempts();
      sinceMillis = due.sinceMillis();
    }

    void settled(int sequence) {
      settledThrough = sequence;
      attempts = 0;
      sinceMillis = 0;
    }
  }

  /** Starts no new calls from now on; calls in flight end normally. */
  void stop() {
    stopping = true;
  }

  /**
   * Sends a delivery's pending webhooks until none is left or one cannot be sent now.
   *
   * @return when its shard should be polled again, epoch ms; 0 for at once, {@link Long#MAX_VALUE}
   *     for no special time
   */
  long tell(PartnerBulkhead bulkhead, Due due) throws IOException, InterruptedException {
    Progress progress = new Progress(due, bulkhead);
    while (!stopping) {
      Partner partner = partners.get(bulkhead.key().reader(), bulkhead.key().partnerId());
      DeliveryEvent event =
          partner == null ? null : partner.next(due.delivery(), progress.settledThrough);
      if (partner == null || event == null) {
        return progress.settledThrough == due.delivery().version() ? Long.MAX_VALUE : 0;
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
    progress.attempt = null;
    long startMillis = context.clock().millis();
    long start = System.nanoTime();
    try {
      outcome = send(partner, Webhook.of(delivery, event), progress.attempts);
    } finally {
      progress.bulkhead.note(permit, delivery.id(), outcome, context.clock().millis());
      meter.called(progress.bulkhead.key(), outcome, System.nanoTime() - start);
    }
    WebhookAttempt attempt = outcome.attempt(event.sequence(), startMillis, start);
    progress.attempt = attempt;
    if (outcome.isSuccess()) {
      context.outbox().delivered(delivery.id(), progress.due.reader(), attempt);
      meter.told(event, context.clock().millis());
      progress.settled(event.sequence());
    }
    return outcome;
  }

  /** Sends one webhook now, outside of the order, and notes the attempt. */
  WebhookOutcome redeliver(Partner partner, Delivery delivery, DeliveryEvent event)
      throws IOException, InterruptedException {
    long startMillis = context.clock().millis();
    long start = System.nanoTime();
    WebhookOutcome outcome = send(partner, Webhook.of(delivery, event), 0);
    context
        .outbox()
        .webhooks()
        .redelivered(
            delivery.id(), partner.reader(), outcome.attempt(event.sequence(), startMillis, start));
    return outcome;
  }

  private WebhookOutcome send(Partner partner, Webhook webhook, int attempts)
      throws InterruptedException {
    String rider = webhook.riderId();
    if (rider != null
        && !disclosure.note(rider, RelayMeter.kind(partner.reader()) + "/" + partner.id())) {
      return WebhookOutcome.none("the register of who is given locations has no room");
    }
    TraceContext trace = webhook.trace();
    TraceContext span = trace == null ? null : trace.child();
    long began = meter.waits().begin();
    try {
      return switch (WebhookTarget.read(partner.url(), guard)) {
        case WebhookTarget.Reading.Bad bad -> WebhookOutcome.none("the url " + bad.reason());
        case WebhookTarget.Reading.Good good -> {
          long start = System.nanoTime();
          WebhookOutcome outcome =
              sender.send(
                  webhook.call(
                      partner,
                      good.target(),
                      config().secretOverlap(),
                      context.clock().millis(),
                      span,
                      attempts));
          if (trace != null && span != null && context.tracer().isOn()) {
            context
                .tracer()
                .ended(outcome.span(span, trace.spanId(), partner.id(), System.nanoTime() - start));
          }
          yield outcome;
        }
      };
    } finally {
      meter.waits().end(began);
    }
  }

  /**
   * Notes a failed call. Returns when it is retried, epoch ms; 0 when the event was given up and
   * the next one's turn has come.
   */
  private long failed(
      Progress progress, Partner partner, DeliveryEvent event, WebhookOutcome outcome)
      throws IOException, InterruptedException {
    Due due = progress.due;
    long now = context.clock().millis();
    if (outcome.status() == WebhookOutcome.GONE) {
      // 410 Gone is the specification's way to end a subscription.
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
    long pause = backoff().millis(progress.attempts);
    long next = now + Math.max(pause, asked);
    if (outcome.isThrottled()) {
      // What the partner asks for, and not this delivery's own pause, which grows: others may go.
      long breath = Math.min(pause, config().breaker().pause().toMillis());
      progress.bulkhead.holdBack(now + (asked > 0 ? asked : breath));
    }
    context
        .outbox()
        .failed(
            due.delivery().id(),
            due.reader(),
            progress.attempts,
            next,
            outcome.error(),
            progress.attempt);
    return next;
  }

  private void setAside(Progress progress, DeliveryEvent event, String error)
      throws IOException, InterruptedException {
    OutboxReader reader = progress.due.reader();
    WebhookAttempt last = progress.attempt;
    boolean isAttempted = last != null && last.sequence() == event.sequence();
    context
        .outbox()
        .setAside(
            progress.due.delivery().id(),
            reader,
            event.sequence(),
            error,
            isAttempted ? last : null);
    meter.setAside(reader);
    progress.settled(event.sequence());
  }

  /**
   * Puts a delivery off because its partner's breaker is open; or makes its next event a dead
   * letter when the breaker has been open for too long.
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
    // The longer the breaker is open, the longer the pause: each costs a write for each delivery.
    long longest = longestPutOffMillis();
    // Not measured from the noted first failure, as another node's clock may have set it.
    long open = failingSince > 0 ? now - failingSince : 0;
    long pause = Math.min(Math.max(config().breaker().pause().toMillis(), open / 2), longest);
    long next = Math.max(progress.bulkhead.blockedUntil(now), now + backoff().jitter(pause));
    context
        .outbox()
        .failed(
            due.delivery().id(),
            due.reader(),
            progress.attempts,
            next,
            failingSince > 0 ? "the breaker is open" : "the partner has asked to wait",
            null);
    progress.bulkhead.putOff(due.delivery().id());
    meter.putOff(RelayMeter.Put.BREAKER);
    return next;
  }

  /**
   * Puts a delivery off because sending its webhooks hit a bug; the pause grows with each failure.
   */
  long putOffForBug(Due due, Throwable bug) throws IOException, InterruptedException {
    int attempts = due.attempts() + 1;
    long next = context.clock().millis() + backoff().millis(attempts);
    context
        .outbox()
        .failed(due.delivery().id(), due.reader(), attempts, next, "a bug of ours: " + bug, null);
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

  /** An upper bound, with a margin, of how long anything is put off. */
  long longestMillis() {
    long longest = Math.max(config().retry().max().toMillis(), UnreadableDeliveries.PUT_OFF_MILLIS);
    return 2 * Math.max(longest, longestPutOffMillis());
  }

  /** Puts a delivery off because its partner is unreadable. No event is lost. */
  void putOffForPartner(Due due) throws IOException, InterruptedException {
    long next = context.clock().millis() + backoff().jitter(UNREADABLE_MILLIS);
    context
        .outbox()
        .failed(
            due.delivery().id(),
            due.reader(),
            due.attempts(),
            next,
            "its partner cannot be read",
            null);
    meter.putOff(RelayMeter.Put.PARTNER);
  }

  /** Puts a delivery off briefly because its partner's bulkhead is full. */
  long putOffForRoom(Due due) throws IOException, InterruptedException {
    long next = context.clock().millis() + backoff().jitter(ROOM_MILLIS);
    context
        .outbox()
        .failed(
            due.delivery().id(), due.reader(), due.attempts(), next, "its partner is slow", null);
    meter.putOff(RelayMeter.Put.FULL);
    return next;
  }
}
