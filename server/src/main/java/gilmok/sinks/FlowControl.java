package gilmok.sinks;

import gilmok.observe.PartTimes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The flow control of one sink, shared by its loop and its batch senders: whether it is paused, how
 * long to wait after a failure, and whether to give up.
 *
 * <p>Thread-safe, guarded by the lock of the {@link SinkState}.
 */
final class FlowControl {
  private static final int DOUBLINGS_MAX = 40;

  private final SinkState account;
  private final Duration retryMin;
  private final Duration retryMax;
  private final RandomGenerator random;
  private final InstantSource clock;
  private boolean stopping;
  private boolean abandoning;
  private long successes;
  private long notBefore = System.nanoTime();
  private @Nullable String fault;
  private long faultAtMillis;
  private @Nullable String damage;
  private boolean isMending;
  private int mendings;
  private long mendAt;

  FlowControl(SinkState account, SinkConfig config, InstantSource clock, RandomGenerator random) {
    this.account = account;
    retryMin = config.retryMin();
    retryMax = config.retryMax();
    this.random = random;
    this.clock = clock;
  }

  /** Whether another batch may start. */
  boolean mayStart(int maxConcurrency) {
    try (var _ = account.hold()) {
      return !stopping
          && !account.progress().isPaused
          && account.inFlight().size() < maxConcurrency
          && account.progress().ranges.size() < SinkCheckpoint.SETTLED_RANGES_MAX
          && System.nanoTime() - notBefore >= 0;
    }
  }

  /**
   * Waits while the sink is paused.
   *
   * @return false when the batch sender has to give up
   */
  boolean mayGo() throws InterruptedException {
    long began = PartTimes.clock();
    try (var _ = account.hold()) {
      while (account.progress().isPaused && !stopping && !abandoning) {
        account.changed.await();
      }
      return !stopping && !abandoning;
    } finally {
      PartTimes.waited(BatchTimes.PAUSED, PartTimes.clock() - began);
    }
  }

  /**
   * Waits before another attempt: a random time between the shortest pause and one that doubles
   * with each attempt. A success of another batch ends the wait, unless the destination is
   * throttling.
   *
   * @param attempt how many attempts have failed, from 1
   * @param isThrottled whether the destination asked to be sent less
   * @return false when the batch sender has to give up
   */
  boolean pause(int attempt, boolean isThrottled) throws InterruptedException {
    long began = PartTimes.clock();
    try (var _ = account.hold()) {
      long until = System.nanoTime() + backOffNanos(attempt);
      long seen = successes;
      while (!stopping && !abandoning && (isThrottled || successes == seen)) {
        long left = until - System.nanoTime();
        if (left <= 0) {
          break;
        }
        account.changed.awaitNanos(left);
      }
    } finally {
      PartTimes.waited(BatchTimes.RETRY_WAIT, PartTimes.clock() - began);
    }
    return mayGo();
  }

  /** Lets no batch start for a while. */
  void holdBack(int attempt) {
    try (var _ = account.hold()) {
      notBefore = System.nanoTime() + backOffNanos(attempt);
    }
  }

  /**
   * A random time between the shortest pause and one that doubles with each attempt. Call it under
   * the lock only.
   */
  long backOffNanos(int attempt) {
    long shortest = retryMin.toNanos();
    long longest = shortest << Math.min(attempt, DOUBLINGS_MAX);
    // A shift that overflows gives a negative number or one below the shortest pause.
    longest = longest < shortest || longest > retryMax.toNanos() ? retryMax.toNanos() : longest;
    return longest <= shortest ? shortest : random.nextLong(shortest, longest + 1);
  }

  /** Waits until the version differs from {@code seenVersion}, at most that many nanoseconds. */
  void await(long seenVersion, long nanos) throws InterruptedException {
    try (var _ = account.hold()) {
      long left = nanos;
      while (account.version() == seenVersion && left > 0) {
        left = account.changed.awaitNanos(left);
      }
    }
  }

  /** The number of changes so far. */
  long version() {
    return account.locked(() -> account.version());
  }

  /** The destination has taken something: batches that wait for another attempt may try. */
  void succeeded() {
    try (var _ = account.hold()) {
      successes++;
      fault = null;
      // A bug or damage from before has no effect any more.
      damage = isMending ? null : damage;
      mendings = damage == null ? 0 : mendings;
      account.changed.signalAll();
    }
  }

  /** Sets the fault, until a success. */
  void failed(String what) {
    try (var _ = account.hold()) {
      fault = what;
      faultAtMillis = clock.millis();
    }
  }

  /** Reports a bug or damage: the loop reads nothing until it is time to start again. */
  void broken(String what) {
    try (var _ = account.hold()) {
      damage = what;
      isMending = false;
      mendAt = System.nanoTime() + backOffNanos(++mendings);
      faultAtMillis = clock.millis();
      account.moved();
    }
  }

  /** Clears a bug or damage: an operator has repaired it, or no work that could fail is left. */
  void mended() {
    try (var _ = account.hold()) {
      damage = null;
      mendings = 0;
      account.moved();
    }
  }

  /** No work is left: a loop that was started again counts as repaired. */
  void idle() {
    try (var _ = account.hold()) {
      damage = isMending ? null : damage;
      mendings = damage == null ? 0 : mendings;
    }
  }

  /** The loop starts again: it is broken until something succeeds, but no longer stopped. */
  void mending() {
    try (var _ = account.hold()) {
      isMending = true;
      account.moved();
    }
  }

  /** Whether the loop is stopped by a bug or damage. */
  boolean isStanding() {
    return account.locked(() -> damage != null && !isMending);
  }

  /** Whether the loop is stopped and it is time to start again. */
  boolean isMendDue() {
    return account.locked(() -> damage != null && !isMending && System.nanoTime() - mendAt >= 0);
  }

  /** Whether a bug or damage has stopped the loop and nothing has succeeded since. */
  boolean isBroken() {
    return account.locked(() -> damage != null);
  }

  /** Whether batch senders have to give up. Call it under the lock only. */
  boolean givesUp() {
    return stopping || abandoning;
  }

  /** The present time, epoch ms. */
  long nowMillis() {
    return clock.millis();
  }

  /** The reason of the last failure; null when there is none. */
  @Nullable String fault() {
    try (var _ = account.hold()) {
      return damage != null ? damage : fault;
    }
  }

  long faultAtMillis() {
    try (var _ = account.hold()) {
      return faultAtMillis;
    }
  }

  void stop() {
    try (var _ = account.hold()) {
      stopping = true;
      account.moved();
    }
  }

  boolean isStopping() {
    return account.locked(() -> stopping);
  }

  /** Makes batch senders give up instead of retrying, and waits until all have ended. */
  void clear() throws InterruptedException {
    account.lock.lock();
    try {
      abandoning = true;
      account.moved();
      awaitEmpty();
    } finally {
      abandoning = false;
      account.lock.unlock();
    }
  }

  /**
   * Waits until all batch senders have ended.
   *
   * @return false when they did not end within {@code patience}
   */
  boolean awaitEmpty(Duration patience) throws InterruptedException {
    try (var _ = account.hold()) {
      long until = System.nanoTime() + patience.toNanos();
      while (!account.inFlight().isEmpty()) {
        long left = until - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        account.changed.awaitNanos(left);
      }
      return true;
    }
  }

  /** Waits until all batch senders have ended. */
  void awaitEmpty() throws InterruptedException {
    try (var _ = account.hold()) {
      while (!account.inFlight().isEmpty()) {
        account.changed.await();
      }
    }
  }

  boolean isPaused() {
    return account.locked(() -> account.progress().isPaused);
  }

  /** Interrupts the sink's sends, which may block. */
  void interrupt() {
    try (var _ = account.hold()) {
      account.inFlight().forEach(InFlightBatch::interrupt);
    }
  }
}
