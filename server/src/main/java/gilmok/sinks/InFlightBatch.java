package gilmok.sinks;

import gilmok.log.StreamCounts;
import java.util.BitSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A batch in flight, and which of its records are not settled yet.
 *
 * <p>The records divide among them all sequences since the end of the batch before: each also
 * covers the sequences before it that the sink does not take. So settled records form few ranges.
 *
 * <p>Guarded by the lock of the {@link SinkState}, but for what never changes.
 */
final class InFlightBatch {
  private final Batch batch;
  private final long from;
  private final boolean isReplay;
  private final BitSet open;
  private @Nullable Thread thread;

  /** Set by the sink's loop before a sender has it. */
  private @Nullable Gathered gathered;

  private boolean isInterrupted;

  /**
   * @param from the first of the sequences that the records cover
   * @param isReplay whether the records are sent once more
   */
  InFlightBatch(Batch batch, long from, boolean isReplay) {
    this.batch = batch;
    this.from = from;
    this.isReplay = isReplay;
    open = new BitSet(batch.size());
    open.set(0, batch.size());
  }

  /**
   * When a batch was read from the log, on {@link System#nanoTime}'s clock.
   *
   * @param beganNanos when its first record was
   * @param departedNanos when it was complete, and there was a place for it
   */
  record Gathered(long beganNanos, long departedNanos) {}

  void gathered(Gathered when) {
    gathered = when;
  }

  /** When it was gathered; null for a record that was sent alone or once more. */
  @Nullable Gathered gathered() {
    return gathered;
  }

  Batch batch() {
    return batch;
  }

  boolean isReplay() {
    return isReplay;
  }

  /** The indexes of the records that are not settled. */
  BitSet open() {
    return open;
  }

  /** The sequences after {@code after} up to {@code through} that are not settled. */
  Sequences open(long after, long through) {
    Sequences some = new Sequences();
    for (int i = open.nextSetBit(0); i >= 0; i = open.nextSetBit(i + 1)) {
      if (batch.sequence(i) > after && batch.sequence(i) <= through) {
        some.add(batch.sequence(i));
      }
    }
    return some;
  }

  void on(Thread delivering) {
    thread = delivering;
    if (isInterrupted) {
      delivering.interrupt();
    }
  }

  void interrupt() {
    isInterrupted = true;
    if (thread != null) {
      thread.interrupt();
    }
  }

  /**
   * When the oldest unsettled record was received, epoch ms; {@link Long#MAX_VALUE} if there is
   * none.
   */
  long oldestMillis() {
    int first = open.nextSetBit(0);
    return first < 0 ? Long.MAX_VALUE : batch.receivedAtMillis(first);
  }

  /**
   * Closes records, and reports the range or index of each.
   *
   * @param below takes the index of a record at or below the low-water mark, or of a replayed one
   */
  void close(BitSet which, long low, RangeTaker range, IntConsumer below) {
    StreamCounts run = new StreamCounts();
    long runFrom = 0;
    long runTo = 0;
    for (int i = 0; i < batch.size(); i++) {
      boolean takes = which.get(i) && open.get(i);
      boolean isBelow = isReplay || batch.sequence(i) <= low;
      if (runTo > 0 && (!takes || isBelow)) {
        range.take(runFrom, runTo, run);
        run = new StreamCounts();
        runTo = 0;
      }
      if (takes && isBelow) {
        below.accept(i);
      } else if (takes) {
        runFrom = runTo > 0 ? runFrom : Math.max(low + 1, cellFrom(i));
        runTo = batch.sequence(i);
        run.add(batch.stream(i));
      }
    }
    if (runTo > 0) {
      range.take(runFrom, runTo, run);
    }
    open.andNot(which);
  }

  private long cellFrom(int i) {
    return i == 0 ? from : batch.sequence(i - 1) + 1;
  }

  /** Takes the number of records in a range above the low-water mark. */
  interface RangeTaker {
    void take(long first, long last, StreamCounts records);
  }
}
