package gilmok.sinks.firehose;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Keeps all calls of a sink together below its stream's quota, with a token bucket each for
 * records, bytes and calls; a bucket fills evenly and holds a tenth of a second's worth. Calls go
 * in the order of arrival. A call that costs more than a bucket holds takes all of it and leaves a
 * debt.
 *
 * <p>When Firehose throttles, the share of the quota that is used is halved, down to a 64th. It
 * then grows by a twentieth of the whole quota per second: additive increase, multiplicative
 * decrease. A call that began before a halving does not halve it again.
 *
 * <p>Thread-safe. One caller at a time holds the turn; the monitor is taken under it, never the
 * other way round.
 */
final class QuotaPacer {
  /** Waits for a number of nanoseconds; in tests it advances their clock. */
  interface Pause {
    void nanos(long nanos) throws InterruptedException;
  }

  private static final double BURST_SECONDS = 0.1;
  private static final double SHARE_MIN = 1.0 / 64;
  private static final double GROWTH_PER_SECOND = 0.05;
  private static final double NANOS_PER_SECOND = 1e9;

  /** The longest single wait: the share grows meanwhile, so the wait is computed anew. */
  private static final long PAUSE_NANOS_MAX = 100_000_000;

  private final LongSupplier nanoTime;
  private final Pause pause;
  private final ReentrantLock turn = new ReentrantLock(true);
  private final Bucket records;
  private final Bucket bytes;
  private final Bucket calls;
  private double share = 1;
  private long settledAt;
  private long halvedAt;
  private long halvings;

  /** A token bucket. */
  private static final class Bucket {
    private final double perSecond;
    private final double most;
    private double held;

    Bucket(double perSecond) {
      this.perSecond = perSecond;
      most = Math.max(1, perSecond * BURST_SECONDS);
      held = most;
    }

    void fill(double seconds) {
      held = Math.min(most, held + perSecond * seconds);
    }

    /** Seconds until it holds enough, at the whole quota. */
    double due(double cost) {
      return (Math.min(cost, most) - held) / perSecond;
    }
  }

  QuotaPacer(FirehoseConfig config, LongSupplier nanoTime, Pause pause) {
    this.nanoTime = nanoTime;
    this.pause = pause;
    records = new Bucket(config.quota().recordsMax());
    bytes = new Bucket(config.quota().bytesMax());
    calls = new Bucket(config.quota().callsMax());
    settledAt = nanoTime.getAsLong();
    halvedAt = settledAt;
  }

  /**
   * Waits for a turn to make a call.
   *
   * @return false when it did not come within the patience; nothing was taken
   */
  boolean take(int recordCount, int byteCount, long patienceNanos) throws InterruptedException {
    long begun = nanoTime.getAsLong();
    if (!turn.tryLock(patienceNanos, TimeUnit.NANOSECONDS)) {
      return false;
    }
    try {
      while (true) {
        long wait = charge(recordCount, byteCount);
        if (wait == 0) {
          return true;
        }
        long left = patienceNanos - (nanoTime.getAsLong() - begun);
        if (left <= 0) {
          return false;
        }
        pause.nanos(Math.min(Math.min(wait, left), PAUSE_NANOS_MAX));
      }
    } finally {
      turn.unlock();
    }
  }

  /** Firehose has throttled a call that began at {@code begunNanos}. */
  synchronized void throttled(long begunNanos) {
    settle();
    if (halvings > 0 && begunNanos - halvedAt < 0) {
      return;
    }
    share = Math.max(SHARE_MIN, share / 2);
    halvedAt = nanoTime.getAsLong();
    halvings++;
  }

  /** The share of the quota that is used now, up to 1. */
  synchronized double share() {
    settle();
    return share;
  }

  /** How often the share was halved. */
  synchronized long halvings() {
    return halvings;
  }

  /** Takes a call's cost, or returns how many nanoseconds it is too early. */
  private synchronized long charge(int recordCount, int byteCount) {
    settle();
    double due = Math.max(records.due(recordCount), Math.max(bytes.due(byteCount), calls.due(1)));
    if (due > 0) {
      return Math.max(1, (long) Math.ceil(due / share * NANOS_PER_SECOND));
    }
    records.held -= recordCount;
    bytes.held -= byteCount;
    calls.held -= 1;
    return 0;
  }

  private void settle() {
    long now = nanoTime.getAsLong();
    double seconds = (now - settledAt) / NANOS_PER_SECOND;
    settledAt = now;
    records.fill(seconds * share);
    bytes.fill(seconds * share);
    calls.fill(seconds * share);
    share = Math.min(1, share + seconds * GROWTH_PER_SECOND);
  }
}
