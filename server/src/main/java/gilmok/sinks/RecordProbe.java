package gilmok.sinks;

import gilmok.log.Log;
import java.io.IOException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Probes with records that are not in flight yet, one at a time, while a sink is held: all records
 * in flight may be at fault. Such a record is sent before its turn; unless it is taken, it is read
 * again in its turn. Any record may be probed, so that a long run of bad ones is passed. A sink
 * that keeps order gets them one after the other, so that it sees none before an earlier one.
 *
 * <p>Not thread-safe: owned by the sink's loop.
 */
final class RecordProbe {
  private final SinkState account;
  private final RefusalBreaker breaker;
  private final RandomGenerator random;
  private final Log log;
  private final boolean isOrdered;

  /** For an ordered sink: all records up to it were sent since everything was last read anew. */
  private long lastTried;

  private @Nullable InFlightBatch inFlightBatch;
  private @Nullable BatchSender sender;

  RecordProbe(BatchSenderContext means, Log log, RandomGenerator random) {
    account = means.account();
    breaker = means.breaker();
    isOrdered = means.sink().isOrdered();
    this.log = log;
    this.random = random;
  }

  /**
   * Drops the probe, as everything is read anew: what was tried before is sent again, so the next
   * probe must not be after it.
   */
  void forget() {
    drop();
    lastTried = 0;
  }

  private void drop() {
    inFlightBatch = null;
    sender = null;
  }

  /** Whether batches have to wait for a probe, or for what the breaker is about to find out. */
  boolean holdsUp() {
    return inFlightBatch != null || !breaker.isClosed();
  }

  /** The next record to probe with; null when it is not time, or there is none. */
  @Nullable InFlightBatch next(Batcher batcher) throws IOException {
    if (inFlightBatch != null || !breaker.mayProbe()) {
      return null;
    }
    batcher.putBack();
    Batch one = batcher.one(from(batcher.position()));
    InFlightBatch tried = one == null ? null : account.depart(one, one.sequence(0));
    if (tried == null) {
      breaker.passTurn();
    }
    return tried;
  }

  private long from(long position) {
    long behind = log.durable() - position;
    return isOrdered ? lastTried + 1 : position + 1 + (behind > 0 ? random.nextLong(behind) : 0);
  }

  /** Marks a batch sender as the one that probes. */
  void begin(InFlightBatch tried, BatchSender trying) {
    lastTried = tried.batch().sequence(0);
    inFlightBatch = tried;
    sender = trying;
    breaker.probing(trying);
  }

  /**
   * Checks whether the probe is over, and leaves a taken record out of later batches.
   *
   * @return whether it is over now
   */
  boolean end(Batcher batcher) {
    InFlightBatch tried = inFlightBatch;
    BatchSender trying = sender;
    if (tried == null || trying == null || account.isOnItsWay(tried)) {
      return false;
    }
    drop();
    if (trying.isDone()) {
      batcher.skip(tried.batch().sequence(0));
    }
    return true;
  }
}
