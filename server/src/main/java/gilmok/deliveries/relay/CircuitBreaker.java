package gilmok.deliveries.relay;

import java.time.Duration;
import java.util.Arrays;

/**
 * A circuit breaker for one partner. It opens when more than half of at least 20 calls within the
 * window have failed. After a pause it lets {@value #PROBES} calls through, and closes when these
 * succeed. A refusal is a value, not an exception.
 *
 * <p>Not thread-safe: guarded by its {@link PartnerBulkhead}.
 */
final class CircuitBreaker {
  static final int CALLS_MIN = 20;
  static final int PROBES = 3;
  private static final int BUCKETS = 10;

  /** The breaker's state. */
  enum State {
    CLOSED,
    OPEN,
    HALF_OPEN
  }

  /** The breaker's answer to a call. */
  enum Permit {
    GO,
    /** The call may go; its outcome decides whether the breaker closes or opens again. */
    PROBE,
    REFUSED
  }

  private final long bucketMillis;
  private final long pauseMillis;
  private final long[] numbers = new long[BUCKETS];
  private final int[] calls = new int[BUCKETS];
  private final int[] failures = new int[BUCKETS];
  private State state = State.CLOSED;
  private long openUntil;
  private long failingSince;
  private int probing;
  private int succeeded;

  CircuitBreaker(Duration window, Duration pause) {
    bucketMillis = Math.max(1, window.toMillis() / BUCKETS);
    pauseMillis = pause.toMillis();
  }

  /** Asks whether a call may go. If so, the caller must {@link #note} its outcome. */
  Permit ask(long now) {
    if (state == State.CLOSED) {
      return Permit.GO;
    }
    if (state == State.OPEN && openUntil(now) <= now) {
      state = State.HALF_OPEN;
      probing = 0;
      succeeded = 0;
    }
    if (state == State.HALF_OPEN && probing + succeeded < PROBES) {
      probing++;
      return Permit.PROBE;
    }
    return Permit.REFUSED;
  }

  /** Notes the outcome of a permitted call. */
  void note(Permit permit, boolean success, long now) {
    if (permit == Permit.PROBE) {
      noteProbe(success, now);
    } else if (state == State.CLOSED) {
      int i = bucket(now);
      calls[i]++;
      failures[i] += success ? 0 : 1;
      if (!success && isFailing(now)) {
        failingSince = now;
        open(now);
      }
    }
  }

  private void noteProbe(boolean success, long now) {
    if (state != State.HALF_OPEN) {
      return;
    }
    probing--;
    if (!success) {
      open(now);
    } else if (++succeeded >= PROBES) {
      state = State.CLOSED;
      failingSince = 0;
      Arrays.fill(calls, 0);
      Arrays.fill(failures, 0);
    }
  }

  private void open(long now) {
    state = State.OPEN;
    openUntil = now + pauseMillis;
  }

  /** Ends the pause of an open breaker: a few calls go through now. */
  void endPause() {
    openUntil = 0;
  }

  private boolean isFailing(long now) {
    long oldest = now / bucketMillis - BUCKETS + 1;
    int all = 0;
    int failed = 0;
    for (int i = 0; i < BUCKETS; i++) {
      if (numbers[i] >= oldest) {
        all += calls[i];
        failed += failures[i];
      }
    }
    return all >= CALLS_MIN && 2 * failed > all;
  }

  private int bucket(long now) {
    long number = now / bucketMillis;
    int i = (int) (number % BUCKETS);
    if (numbers[i] != number) {
      numbers[i] = number;
      calls[i] = 0;
      failures[i] = 0;
    }
    return i;
  }

  State state() {
    return state;
  }

  /** Until when every call is refused, epoch ms; a time in the past when calls may go. */
  long openUntil(long now) {
    // Further away than a pause: the clock was set back since.
    return state == State.OPEN && openUntil - now <= pauseMillis ? openUntil : 0;
  }

  /** When the breaker first opened, epoch ms; 0 when it has closed again or never opened. */
  long failingSince() {
    return failingSince;
  }
}
