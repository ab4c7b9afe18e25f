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
    account.lock.lock();
    try {
      return !stopping
          && !account.progress().isPaused
          && account.inFlight().size() < maxConcurrency
          && account.progress().ranges.size() < SinkCheckpoint.SETTLED_RANGES_MAX
          && System.nanoTime() - notBefore >= 0;
    } finally {
      account.lock.unlock();
    }
  }

  /**
   * Waits while the sink is paused.
   *
   * @return false when the delivery has to give up
   */
  boolean mayGo() throws InterruptedException {
    account.lock.lock();
    try {
      while (account.progress().isPaused && !stopping && !abandoning) {
        account.changed.await();
      }
      return !stopping && !abandoning;
    } finally {
      account.lock.unlock();
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
    account.lock.lock();
    try {
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
      account.lock.unlock();
    }
    return mayGo();
  }

  /** Nothing starts for a while. */
  void holdBack(int attempt) {
    account.lock.lock();
    try {
      notBefore = System.nanoTime() + backOffNanos(attempt);
    } finally {
      account.lock.unlock();
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
    account.lock.lock();
    try {
      long left = nanos;
      while (account.version() == seenVersion && left > 0) {
        left = account.changed.awaitNanos(left);
      }
    } finally {
      account.lock.unlock();
    }
  }

  /** How often something has moved. */
  long version() {
    account.lock.lock();
    try {
      return account.version();
    } finally {
      account.lock.unlock();
    }
  }

  /** The destination has kept something: what waits may try. */
  void succeeded() {
    account.lock.lock();
    try {
      successes++;
      fault = null;
      // What damage there was, it is past.
      damage = isMending ? null : damage;
      mendings = damage == null ? 0 : mendings;
      account.changed.signalAll();
    } finally {
      account.lock.unlock();
    }
  }

  /** What went wrong, until a success. */
  void failed(String what) {
    account.lock.lock();
    try {
      fault = what;
      faultAtMillis = clock.millis();
    } finally {
      account.lock.unlock();
    }
  }

  /** A bug or damage: nothing is read until it is time to try anew. */
  void broken(String what) {
    account.lock.lock();
    try {
      damage = what;
      isMending = false;
      mendAt = System.nanoTime() + backOffNanos(++mendings);
      faultAtMillis = clock.millis();
      account.moved();
    } finally {
      account.lock.unlock();
    }
  }

  /** Somebody has mended it, or there is nothing left to do that could fail. */
  void mended() {
    account.lock.lock();
    try {
      damage = null;
      mendings = 0;
      account.moved();
    } finally {
      account.lock.unlock();
    }
  }

  /** There is nothing left to do: what was tried anew is mended. */
  void idle() {
    account.lock.lock();
    try {
      damage = isMending ? null : damage;
      mendings = damage == null ? 0 : mendings;
    } finally {
      account.lock.unlock();
    }
  }

  /** It is tried anew: broken until something succeeds, but no longer standing still. */
  void mending() {
    account.lock.lock();
    try {
      isMending = true;
      account.moved();
    } finally {
      account.lock.unlock();
    }
  }

  /** Whether it stands still. */
  boolean isStanding() {
    account.lock.lock();
    try {
      return damage != null && !isMending;
    } finally {
      account.lock.unlock();
    }
  }

  /** Whether it stands still and it is time to try anew. */
  boolean isMendDue() {
    account.lock.lock();
    try {
      return damage != null && !isMending && System.nanoTime() - mendAt >= 0;
    } finally {
      account.lock.unlock();
    }
  }

  /** Whether a bug or damage has stopped it and nothing has succeeded since. */
  boolean isBroken() {
    account.lock.lock();
    try {
      return damage != null;
    } finally {
      account.lock.unlock();
    }
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
    account.lock.lock();
    try {
      return damage != null ? damage : fault;
    } finally {
      account.lock.unlock();
    }
  }

  long faultAtMillis() {
    account.lock.lock();
    try {
      return faultAtMillis;
    } finally {
      account.lock.unlock();
    }
  }

  void stop() {
    account.lock.lock();
    try {
      stopping = true;
      account.moved();
    } finally {
      account.lock.unlock();
    }
  }

  boolean isStopping() {
    account.lock.lock();
    try {
      return stopping;
    } finally {
      account.lock.unlock();
    }
  }

  /** Has deliveries give up instead of trying again, and waits until all have ended. */
  void clear() throws InterruptedException {
    account.lock.lock();
    try {
      abandoning = true;
      account.moved();
      while (!account.inFlight().isEmpty()) {
        account.changed.await();
      }
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
    account.lock.lock();
    try {
      long until = System.nanoTime() + patience.toNanos();
      while (!account.inFlight().isEmpty()) {
        long left = until - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        account.changed.awaitNanos(left);
      }
      return true;
    } finally {
      account.lock.unlock();
    }
  }

  /** Waits until all deliveries have ended. */
  void awaitEmpty() throws InterruptedException {
    account.lock.lock();
    try {
      while (!account.inFlight().isEmpty()) {
        account.changed.await();
      }
    } finally {
      account.lock.unlock();
    }
  }

  boolean isPaused() {
    account.lock.lock();
    try {
      return account.progress().isPaused;
    } finally {
      account.lock.unlock();
    }
  }

  /** Ends what blocks: the sink's sends. */
  void interrupt() {
    account.lock.lock();
    try {
      account.inFlight().forEach(InFlightBatch::interrupt);
    } finally {
      account.lock.unlock();
    }
  }
}
