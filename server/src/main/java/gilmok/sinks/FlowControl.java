package gilmok.sinks;

import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What the loop and the deliveries of one sink agree on before anything moves: whether somebody has
 * paused it, how long to wait after a failure, whether to give up.
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

  /** Whether another batch may go. */
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
   * @return false when the delivery has to give up
   */
  boolean mayGo() throws InterruptedException {
    try (var _ = account.hold()) {
      while (account.progress().isPaused && !stopping && !abandoning) {
        account.changed.await();
      }
      return !stopping && !abandoning;
    }
  }

  /**
   * Waits before another attempt: a random time between the shortest pause and one that doubles
   * each time. A success of another batch ends it early, unless the destination asked for less.
   *
   * @param attempt how many have failed, from 1
   * @return false when the delivery has to give up
   */
  boolean pause(int attempt, boolean isThrottled) throws InterruptedException {
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
    }
    return mayGo();
  }

  /** Nothing starts for a while. */
  void holdBack(int attempt) {
    try (var _ = account.hold()) {
      notBefore = System.nanoTime() + backOffNanos(attempt);
    }
  }

  /**
   * A random time between the shortest pause and one that doubles with each attempt: only under the
   * lock.
   */
  long backOffNanos(int attempt) {
    long shortest = retryMin.toNanos();
    long longest = shortest << Math.min(attempt, DOUBLINGS_MAX);
    // A shift that runs over is not positive any more, or smaller than before.
    longest = longest < shortest || longest > retryMax.toNanos() ? retryMax.toNanos() : longest;
    return longest <= shortest ? shortest : random.nextLong(shortest, longest + 1);
  }

  /** The loop waits until something has moved since it looked, at most so long. */
  void await(long seenVersion, long nanos) throws InterruptedException {
    try (var _ = account.hold()) {
      long left = nanos;
      while (account.version() == seenVersion && left > 0) {
        left = account.changed.awaitNanos(left);
      }
    }
  }

  /** How often something has moved. */
  long version() {
    return account.locked(() -> account.version());
  }

  /** The destination has kept something: what waits may try. */
  void succeeded() {
    try (var _ = account.hold()) {
      successes++;
      fault = null;
      // What damage there was, it is past.
      damage = isMending ? null : damage;
      mendings = damage == null ? 0 : mendings;
      account.changed.signalAll();
    }
  }

  /** What went wrong, until a success. */
  void failed(String what) {
    try (var _ = account.hold()) {
      fault = what;
      faultAtMillis = clock.millis();
    }
  }

  /** A bug or damage: nothing is read until it is time to try anew. */
  void broken(String what) {
    try (var _ = account.hold()) {
      damage = what;
      isMending = false;
      mendAt = System.nanoTime() + backOffNanos(++mendings);
      faultAtMillis = clock.millis();
      account.moved();
    }
  }

  /** Somebody has mended it, or there is nothing left to do that could fail. */
  void mended() {
    try (var _ = account.hold()) {
      damage = null;
      mendings = 0;
      account.moved();
    }
  }

  /** There is nothing left to do: what was tried anew is mended. */
  void idle() {
    try (var _ = account.hold()) {
      damage = isMending ? null : damage;
      mendings = damage == null ? 0 : mendings;
    }
  }

  /** It is tried anew: broken until something succeeds, but no longer standing still. */
  void mending() {
    try (var _ = account.hold()) {
      isMending = true;
      account.moved();
    }
  }

  /** Whether it stands still. */
  boolean isStanding() {
    return account.locked(() -> damage != null && !isMending);
  }

  /** Whether it stands still and it is time to try anew. */
  boolean isMendDue() {
    return account.locked(() -> damage != null && !isMending && System.nanoTime() - mendAt >= 0);
  }

  /** Whether a bug or damage has stopped it and nothing has succeeded since. */
  boolean isBroken() {
    return account.locked(() -> damage != null);
  }

  /** Whether deliveries are to give up: only under the lock. */
  boolean givesUp() {
    return stopping || abandoning;
  }

  /** Epoch ms. */
  long nowMillis() {
    return clock.millis();
  }

  /** What went wrong; null when nothing is. */
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

  /** Has deliveries give up instead of trying again, and waits until all have ended. */
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
   * Waits until all deliveries have ended.
   *
   * @return false when they did not within the patience
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

  /** Waits until all deliveries have ended. */
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

  /** Ends what blocks: the sink's sends. */
  void interrupt() {
    try (var _ = account.hold()) {
      account.inFlight().forEach(InFlightBatch::interrupt);
    }
  }
}
