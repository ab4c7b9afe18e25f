package gilmok.deliveries.relay;

import gilmok.deliveries.Outbox;
import gilmok.deliveries.OutboxReader;
import gilmok.deliveries.Partner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One partner's bulkhead: limits how many of its deliveries are sent at a time, queues a few more,
 * and holds its circuit breaker. Thread-safe.
 */
final class PartnerBulkhead {
  /** Places in the queue for each delivery that may be sent at a time. */
  private static final int QUEUE_FACTOR = 4;

  /** Redeliveries to one partner at a time, beside the deliveries that are sent. */
  static final int REDELIVERIES_MAX = 4;

  /** The partner that a bulkhead is for. */
  record Key(OutboxReader reader, String partnerId) {
    static Key of(Partner partner) {
      return new Key(partner.reader(), partner.id());
    }
  }

  /**
   * Deliveries to try before their time. Immutable.
   *
   * @param isAll whether these are all that wait
   */
  record Early(boolean isAll, List<String> deliveryIds) {
    static final Early NONE = new Early(false, List.of());
    static final Early ALL = new Early(true, List.of());
  }

  /** The answer to {@link #offer}. */
  enum Offer {
    /** Accepted, to be sent now: the caller must then call {@link #next} until it returns null. */
    BEGIN,
    /** Accepted, and queued. */
    WAITS,
    /** Refused: no place is free. */
    FULL
  }

  /**
   * The state of a partner as this node sees it.
   *
   * @param inFlight how many of its deliveries are being sent
   * @param queued how many have a place in this node's queue
   * @param error why the last call failed; null when it did not
   * @param errorAtMillis when that was, epoch ms; 0 when it did not
   */
  record Standing(
      CircuitBreaker.State state,
      int inFlight,
      int queued,
      @Nullable String error,
      long errorAtMillis) {}

  private final Key key;
  private final Supplier<RelayConfig> config;
  private final ArrayDeque<Outbox.Due> queue = new ArrayDeque<>();
  private final CircuitBreaker breaker;
  private final RecoveryWatch recovery = new RecoveryWatch();
  private int inFlight;
  private int redelivering;
  private long notBefore;
  private @Nullable String error;
  private long errorAtMillis;

  /**
   * @param config the limits now in force; {@code concurrencyMax} and the longest hold-back follow
   *     them
   */
  PartnerBulkhead(Key key, Supplier<RelayConfig> config) {
    this.key = key;
    this.config = config;
    breaker = new CircuitBreaker(config.get().breaker().window(), config.get().breaker().pause());
  }

  Key key() {
    return key;
  }

  /** Offers a delivery that is due. */
  synchronized Offer offer(Outbox.Due due) {
    int concurrencyMax = config.get().concurrencyMax();
    if (inFlight < concurrencyMax) {
      inFlight++;
      return Offer.BEGIN;
    }
    if (queue.size() < QUEUE_FACTOR * concurrencyMax) {
      queue.add(due);
      return Offer.WAITS;
    }
    return Offer.FULL;
  }

  /**
   * Ends one delivery and takes the next from the queue. Null when the queue is empty, or when
   * {@code concurrencyMax} was lowered; then the place is free again.
   */
  synchronized Outbox.@Nullable Due next() {
    int concurrencyMax = config.get().concurrencyMax();
    Outbox.Due next = inFlight > concurrencyMax ? null : queue.poll();
    inFlight -= next == null ? 1 : 0;
    return next;
  }

  /** Empties the queue and frees the caller's own place. Returns what was queued. */
  synchronized List<Outbox.Due> giveUp() {
    inFlight--;
    List<Outbox.Due> left = new ArrayList<>(queue);
    queue.clear();
    return left;
  }

  /**
   * Begins a redelivery; false when too many are on their way. The breaker is not asked: an
   * operator may want to know whether the partner answers again.
   */
  synchronized boolean beginRedelivery() {
    if (redelivering == REDELIVERIES_MAX) {
      return false;
    }
    redelivering++;
    return true;
  }

  synchronized void endRedelivery() {
    redelivering--;
  }

  /** Asks whether a call may go now. */
  synchronized CircuitBreaker.Permit ask(long now) {
    return now < heldBackUntil(now) ? CircuitBreaker.Permit.REFUSED : breaker.ask(now);
  }

  /** Notes the outcome of a permitted call about a delivery. */
  synchronized void note(
      CircuitBreaker.Permit permit, String deliveryId, WebhookOutcome outcome, long now) {
    breaker.note(permit, outcome.isSuccess(), now);
    if (outcome.isSuccess()) {
      recovery.succeeded(breaker.state() == CircuitBreaker.State.CLOSED, now, pauseMillis());
    } else {
      recovery.failed(deliveryId, outcome, now);
    }
    error = outcome.isSuccess() ? null : outcome.error();
    errorAtMillis = outcome.isSuccess() ? 0 : now;
  }

  /**
   * Which of its deliveries are to be tried before their time: {@link Early#ALL} once the partner
   * answers again, a few while it does not.
   */
  synchronized Early early(long now) {
    if (recovery.isBack(now)) {
      return Early.ALL;
    }
    boolean isBlocked = Math.max(heldBackUntil(now), breaker.openUntil(now)) > now;
    if (isBlocked) {
      return Early.NONE;
    }
    boolean isClosed = breaker.state() == CircuitBreaker.State.CLOSED;
    int most = isClosed ? 1 : CircuitBreaker.PROBES;
    return new Early(false, recovery.probes(now, pauseMillis(), most));
  }

  private long pauseMillis() {
    return config.get().breaker().pause().toMillis();
  }

  /** Notes that a delivery was put off. */
  synchronized void putOff(String deliveryId) {
    recovery.waits(deliveryId);
  }

  /** All of its deliveries are to be tried before their time, at the next {@link #early}. */
  synchronized void allEarly() {
    recovery.again();
  }

  /** Lets calls through now, as an operator has asked: a few while the breaker is not closed. */
  synchronized void letThrough() {
    notBefore = 0;
    breaker.endPause();
  }

  /** Holds back all calls until that time, as the partner has asked; epoch ms. */
  synchronized void holdBack(long untilMillis) {
    notBefore = Math.max(notBefore, untilMillis);
  }

  /**
   * The end of the hold-back, epoch ms. One further away than a partner can ask for is ignored: the
   * clock was set back since.
   */
  private long heldBackUntil(long now) {
    return notBefore - now > config.get().retry().max().toMillis() ? 0 : notBefore;
  }

  /** Until when no call may go, epoch ms; a time in the past when calls may go. */
  synchronized long blockedUntil(long now) {
    return Math.max(heldBackUntil(now), breaker.openUntil(now));
  }

  /** When the breaker opened, epoch ms; 0 when it is closed. */
  synchronized long failingSince() {
    return breaker.failingSince();
  }

  synchronized Standing standing() {
    return new Standing(breaker.state(), inFlight, queue.size(), error, errorAtMillis);
  }
}
