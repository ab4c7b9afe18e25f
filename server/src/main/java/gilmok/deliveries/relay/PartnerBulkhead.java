package gilmok.deliveries.relay;

import gilmok.deliveries.Outbox;
import gilmok.deliveries.Partner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One partner's bulkhead: how many of its deliveries are being told, a few that are next, and its
 * breaker. Thread-safe.
 */
final class PartnerBulkhead {
  /** Waiting deliveries for each that is being told. */
  private static final int WAITING_FACTOR = 4;

  /** A line's name. */
  record Key(Outbox.Reader reader, String partnerId) {
    static Key of(Partner partner) {
      return new Key(partner.reader(), partner.id());
    }
  }

  /** What became of an offer. */
  enum Offer {
    /**
     * There was room: whoever offered has to see that {@link #next} is asked until it says null.
     */
    BEGIN,
    /** It waits for its turn. */
    WAITS,
    /** There is no room. */
    FULL
  }

  /**
   * How a partner is doing, as this node sees it.
   *
   * @param telling how many of its deliveries are being told
   * @param waiting how many are next
   * @param error why a call failed last; null when the last one did not
   */
  record Standing(
      CircuitBreaker.State state,
      int telling,
      int waiting,
      @Nullable String error,
      long errorAtMillis) {}

  private final Key key;
  private final Supplier<RelayConfig> config;
  private final ArrayDeque<Outbox.Due> waiting = new ArrayDeque<>();
  private final CircuitBreaker breaker;
  private int telling;
  private long notBefore;
  private @Nullable String error;
  private long errorAtMillis;

  /**
   * @param config the bounds in force; how many are told and held back follows them
   */
  PartnerBulkhead(Key key, Supplier<RelayConfig> config) {
    this.key = key;
    this.config = config;
    breaker = new CircuitBreaker(config.get().breaker().window(), config.get().breaker().pause());
  }

  Key key() {
    return key;
  }

  /** Brings a delivery that is due. */
  synchronized Offer offer(Outbox.Due due) {
    int concurrencyMax = config.get().concurrencyMax();
    if (telling < concurrencyMax) {
      telling++;
      return Offer.BEGIN;
    }
    if (waiting.size() < WAITING_FACTOR * concurrencyMax) {
      waiting.add(due);
      return Offer.WAITS;
    }
    return Offer.FULL;
  }

  /**
   * One was told: which is the next; null when there is none, or fewer are to be told at a time
   * than before, and the place is free again.
   */
  synchronized Outbox.@Nullable Due next() {
    int concurrencyMax = config.get().concurrencyMax();
    Outbox.Due next = telling > concurrencyMax ? null : waiting.poll();
    telling -= next == null ? 1 : 0;
    return next;
  }

  /** Takes out what waits; one that was being told is given up with it. */
  synchronized List<Outbox.Due> giveUp() {
    telling--;
    List<Outbox.Due> left = new ArrayList<>(waiting);
    waiting.clear();
    return left;
  }

  /** Whether a call may go now. */
  synchronized CircuitBreaker.Permit ask(long now) {
    return now < heldBackUntil(now) ? CircuitBreaker.Permit.REFUSED : breaker.ask(now);
  }

  /** What became of a call that was let go. */
  synchronized void note(CircuitBreaker.Permit permit, WebhookOutcome outcome, long now) {
    breaker.note(permit, outcome.isSuccess(), now);
    error = outcome.isSuccess() ? null : outcome.error();
    errorAtMillis = outcome.isSuccess() ? 0 : now;
  }

  /** The partner asks for no calls until then. */
  synchronized void holdBack(long untilMillis) {
    notBefore = Math.max(notBefore, untilMillis);
  }

  /** Further away than a partner can ask for: the clock was set back meanwhile. */
  private long heldBackUntil(long now) {
    return notBefore - now > config.get().retry().max().toMillis() ? 0 : notBefore;
  }

  /** Until when no call may go, epoch ms; a time that is over when some may. */
  synchronized long blockedUntil(long now) {
    return Math.max(heldBackUntil(now), breaker.openUntil(now));
  }

  /** Since when its breaker has not been closed, epoch ms; 0 when it is. */
  synchronized long failingSince() {
    return breaker.failingSince();
  }

  synchronized Standing standing() {
    return new Standing(breaker.state(), telling, waiting.size(), error, errorAtMillis);
  }
}
