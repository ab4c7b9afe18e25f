package gilmok.sinks;

import gilmok.sinks.Receipt.Outcome;
import gilmok.sinks.Verdict.Cause;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks an ordered sink what became of the records that it holds, and settles those that are kept.
 *
 * <p>Not thread-safe: owned by the sink's loop.
 */
final class UnackedRelease {
  private static final Logger LOGGER = System.getLogger("gilmok.sinks");
  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final BatchSenderContext means;
  private int failures;

  UnackedRelease(BatchSenderContext means) {
    this.means = means;
  }

  /**
   * Asks once.
   *
   * @param now whether the sink must not hold anything any longer
   * @return why no held record is kept, so that all are read again; null when there is no such
   *     reason
   */
  Verdict.@Nullable Retry ask(boolean now) throws InterruptedException {
    if (!means.sink().isOrdered()
        || means.account().heldSequences().isEmpty()
        || !means.sinkLock().tryLock()) {
      return null;
    }
    Verdict verdict;
    try {
      verdict = verdict(now);
      if (verdict instanceof Verdict.Done done) {
        // Before the sink can be sent another batch that it holds.
        settle(done);
      }
    } finally {
      means.sinkLock().unlock();
    }
    return switch (verdict) {
      case null -> null;
      case Verdict.Done _ -> null;
      case Verdict.Retry retry -> failed(retry);
      default -> failed(BatchSender.UNKNOWN);
    };
  }

  private @Nullable Verdict verdict(boolean now) throws InterruptedException {
    try {
      return means.sink().release(now);
    } catch (RuntimeException | Error bug) {
      LOGGER.log(
          Level.ERROR,
          "a bug in the sink " + means.name() + "; nothing is lost, the call is retried",
          bug);
      return new Verdict.Retry(Cause.FAILED, "a bug: " + bug.getClass().getName());
    }
  }

  private void settle(Verdict.Done done) throws InterruptedException {
    for (Sequences sequences : means.account().heldSequences()) {
      Receipt receipt =
          new Receipt(sequences, Outcome.DELIVERED, means.flow().nowMillis(), done.place());
      while (!means.book(receipt)) {
        if (means.flow().isStopping()) {
          return;
        }
        means.flow().await(means.flow().version(), AGAIN_NANOS);
      }
    }
    means.account().settleHeld(done.acknowledged());
    means.meter().delivered(done.acknowledged());
    means.flow().succeeded();
    failures = 0;
  }

  private Verdict.Retry failed(Verdict.Retry retry) {
    means.meter().retried(retry.cause());
    means.flow().failed(retry.detail().isEmpty() ? retry.cause().name() : retry.detail());
    means.flow().holdBack(++failures);
    return retry;
  }
}
