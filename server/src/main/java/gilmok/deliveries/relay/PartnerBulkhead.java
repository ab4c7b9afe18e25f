package gilmok.deliveries.relay;

import gilmok.deliveries.Outbox;
import gilmok.deliveries.Partner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
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
  private final ReentrantLock lock = new ReentrantLock();
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
    breaker = new CircuitBreaker(config.get().breakerWindow(), config.get().breakerPause());
  }

  Key key() {
    return key;
  }

  /** Brings a delivery that is due. */
  Offer offer(Outbox.Due due) {
    int concurrencyMax = config.get().concurrencyMax();
    lock.lock();
    try {
      if (telling < concurrencyMax) {
        telling++;
        return Offer.BEGIN;
      }
      if (waiting.size() < WAITING_FACTOR * concurrencyMax) {
        waiting.add(due);
        return Offer.WAITS;
      }
      return Offer.FULL;
    } finally {
      lock.unlock();
    }
  }

  /**
   * One was told: which is the next; null when there is none, or fewer are to be told at a time
   * than before, and the place is free again.
   */
  Outbox.@Nullable Due next() {
    int concurrencyMax = config.get().concurrencyMax();
    lock.lock();
    try {
      Outbox.Due next = telling > concurrencyMax ? null : waiting.poll();
      telling -= next == null ? 1 : 0;
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** Takes out what waits; one that was being told is given up with it. */
  List<Outbox.Due> giveUp() {
    lock.lock();
    try {
      telling--;
      List<Outbox.Due> left = new ArrayList<>(waiting);
      waiting.clear();
      return left;
    } finally {
      lock.unlock();
    }
  }

  /** Whether a call may go now. */
  CircuitBreaker.Permit ask(long now) {
    lock.lock();
    try {
      return now < heldBackUntil(now) ? CircuitBreaker.Permit.REFUSED : breaker.ask(now);
    } finally {
      lock.unlock();
    }
  }

  /** What became of a call that was let go. */
  void note(CircuitBreaker.Permit permit, WebhookOutcome outcome, long now) {
    lock.lock();
    try {
      breaker.note(permit, outcome.isSuccess(), now);
      error = outcome.isSuccess() ? null : outcome.error();
      errorAtMillis = outcome.isSuccess() ? 0 : now;
    } finally {
      lock.unlock();
    }
  }

  /** The partner asks for no calls until then. */
  void holdBack(long untilMillis) {
    lock.lock();
    try {
      notBefore = Math.max(notBefore, untilMillis);
    } finally {
      lock.unlock();
    }
  }

  /** Further away than a partner can ask for: the clock was set back meanwhile. */
  private long heldBackUntil(long now) {
    return notBefore - now > config.get().retryMax().toMillis() ? 0 : notBefore;
  }

  /** Until when no call may go, epoch ms; a time that is over when some may. */
  long blockedUntil(long now) {
    lock.lock();
    try {
      return Math.max(heldBackUntil(now), breaker.openUntil(now));
    } finally {
      lock.unlock();
    }
  }

  /** Since when its breaker has not been closed, epoch ms; 0 when it is. */
  long failingSince() {
    lock.lock();
    try {
      return breaker.failingSince();
    } finally {
      lock.unlock();
    }
  }

  Standing standing() {
    lock.lock();
    try {
      return new Standing(breaker.state(), telling, waiting.size(), error, errorAtMillis);
    } finally {
      lock.unlock();
    }
  }
}
