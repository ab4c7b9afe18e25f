package gilmok.collect;

import gilmok.http.Exchange;
import gilmok.http.Refusal;
import gilmok.log.AppendCompletion;
import org.jspecify.annotations.Nullable;

/**
 * The completion of one collected append: it is over when whoever the {@link AckRule} names has
 * acknowledged its records, or when that has taken too long.
 *
 * <p>The log's disk and the sink answer on different threads, and only the first counts.
 */
abstract class AckCompletion extends AppendCompletion implements AckSink.Waiting {
  private final AckRule rule;
  private @Nullable String by;
  private long takenNanos;
  private long overNanos;
  private boolean isForced;
  private boolean isLate;
  private boolean isOver;

  AckCompletion(AckRule rule) {
    this.rule = rule;
  }

  /** It is over. Called once, on any thread, which must not be held up: hand over and return. */
  abstract void over();

  /** Who has acknowledged all records: {@code disk} or a sink; null for nobody. When it is over. */
  final @Nullable String by() {
    return by;
  }

  /** Why nothing is to be appended now; null if it may be. Called once, before it is. */
  final @Nullable Refusal lack() {
    AckSink sink = rule.sink();
    boolean isFull = sink != null && sink.isFull();
    if (sink == null || (!isFull && sink.mayWait())) {
      return null;
    }
    if (rule.isElseDisk()) {
      late();
      return null;
    }
    return isFull ? Refusal.BUSY : Refusal.SINK_AWAY;
  }

  /**
   * The log has taken the records. Called once, after the last of its pieces.
   *
   * @param isAll whether also other records must have been acknowledged: the originals of repeats,
   *     or earlier pieces
   */
  final void taken(boolean isAll) {
    AckSink sink = rule.sink();
    if (sink == null || isLate()) {
      return;
    }
    takenNanos = System.nanoTime();
    if (isAll || stored() == 0) {
      sink.awaitAll(given(), this);
    } else {
      sink.await(first(), first() + stored() - 1, this);
    }
  }

  /** Tells a request how long it took. When it is over, on the exchange's event loop. */
  final void tellTimes(Exchange exchange) {
    if (takenNanos == 0) {
      exchange.logged(begunNanos(), durableNanos());
    } else {
      exchange.acknowledged(takenNanos, overNanos);
    }
  }

  @Override
  protected final void durable() {
    if (rule.sink() == null) {
      by = AckRule.DISK_NAME;
      over();
    } else if (forced()) {
      over();
    }
  }

  @Override
  public final void acknowledged() {
    if (answered()) {
      over();
    }
  }

  @Override
  public final void late() {
    if (tooLate()) {
      over();
    }
  }

  private synchronized boolean isLate() {
    return isLate;
  }

  private synchronized boolean forced() {
    isForced = true;
    return isLate && rule.isElseDisk() && end(AckRule.DISK_NAME);
  }

  private synchronized boolean answered() {
    AckSink sink = rule.sink();
    return sink != null && end(sink.name());
  }

  private synchronized boolean tooLate() {
    isLate = true;
    return rule.isElseDisk() ? isForced && end(AckRule.DISK_NAME) : end(null);
  }

  private boolean end(@Nullable String who) {
    if (isOver) {
      return false;
    }
    isOver = true;
    by = who;
    overNanos = System.nanoTime();
    return true;
  }
}
