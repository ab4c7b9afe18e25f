package gilmok.deliveries.relay;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Notices that a partner that was failing answers again. Retries of single deliveries are spaced
 * further and further apart, so none of them may be due for long: while a partner fails, some of
 * them are tried before their time, at each pause of the breaker. Once it answers, all are. Where
 * one delivery alone waits it may be that one's fault, so the pauses grow with the outage.
 *
 * <p>Only what means that the partner is away counts as failing: no answer, 429 or 5xx. A partner
 * that refuses one delivery is there.
 *
 * <p>Not thread-safe: guarded by its {@link PartnerBulkhead}.
 */
final class RecoveryWatch {
  /** How many failures in a row, without a success between them, make a partner failing. */
  static final int FAILURES_MIN = 3;

  /** How many deliveries are remembered, to be tried before their time. */
  private static final int REMEMBERED_MAX = 16;

  /**
   * Once more after that time: a delivery that was being put off when the partner answered has been
   * put off by then.
   */
  private static final long AGAIN_MILLIS = 2_000;

  /** The part of an outage that the pause is, where one delivery alone waits. */
  private static final int ALONE_PART = 10;

  private static final int SERVER_ERROR = 500;

  private final Set<String> remembered = new LinkedHashSet<>();
  private int failures;
  private long failingSince;
  private boolean isBack;
  private long probedAt;
  private long againAt;

  /** Notes a failed call. */
  void failed(String deliveryId, WebhookOutcome outcome, long now) {
    boolean isAway =
        outcome.status() == 0
            || outcome.status() >= SERVER_ERROR
            || outcome.status() == WebhookOutcome.TOO_MANY;
    if (!isAway) {
      return;
    }
    if (failures == 0) {
      failingSince = now;
      probedAt = now;
    }
    failures++;
    waits(deliveryId);
  }

  /** Remembers a delivery that waits, if there is room. */
  void waits(String deliveryId) {
    if (remembered.size() < REMEMBERED_MAX) {
      remembered.add(deliveryId);
    }
  }

  /**
   * Notes a successful call. After less than a pause it is no return: the retries' own pauses are
   * short by then, and some deliveries that always fail must not have all tried again with each one
   * that does not.
   *
   * @param isClosed whether the breaker lets all calls through again
   */
  void succeeded(boolean isClosed, long now, long pauseMillis) {
    if (isClosed) {
      isBack |= failures >= FAILURES_MIN && now - failingSince >= pauseMillis;
      failures = 0;
      remembered.clear();
    }
  }

  /** Whether all of the partner's deliveries are to be tried now. */
  boolean isBack(long now) {
    if (isBack) {
      isBack = false;
      againAt = now + AGAIN_MILLIS;
      return true;
    }
    boolean isAgain = againAt > 0 && (now >= againAt || againAt - now > AGAIN_MILLIS);
    againAt = isAgain ? 0 : againAt;
    return isAgain;
  }

  /** All of the partner's deliveries are to be tried, as that has failed. */
  void again() {
    isBack = true;
  }

  /**
   * The deliveries that are to be tried before their time now; the oldest failures first.
   *
   * @param most how many of them
   */
  List<String> probes(long now, long pauseMillis, int most) {
    long outage = Math.max(0, now - failingSince);
    long pause = remembered.size() > 1 ? pauseMillis : Math.max(pauseMillis, outage / ALONE_PART);
    boolean isTime = now - probedAt >= pause || now < probedAt;
    if (failures == 0 || !isTime) {
      return List.of();
    }
    probedAt = now;
    List<String> probes = new ArrayList<>();
    Iterator<String> all = remembered.iterator();
    while (all.hasNext() && probes.size() < most) {
      probes.add(all.next());
      all.remove(); // comes back at the end if it fails
    }
    return probes;
  }
}
