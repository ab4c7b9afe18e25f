package gilmok.sinks;

import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The account of one sink: its progress, what is on its way, and what is held.
 *
 * <p>Thread-safe: every method takes the {@link #lock}, which is never held for long. It is taken
 * behind the lock of the {@link SinkCursor}, which keeps the account, and in front of none.
 */
final class SinkState {
  private static final Stream[] STREAMS = Stream.values();

  /** Guards all of it; {@link #changed} wakes who waits for something to move. */
  final ReentrantLock lock = new ReentrantLock();

  final Condition changed = lock.newCondition();

  private final Set<InFlightBatch> inFlight = new LinkedHashSet<>();
  private final UnackedBatches unacked = new UnackedBatches();
  private SinkCheckpoint checkpoint = new SinkCheckpoint(0);
  private long version;
  private volatile long low;

  /** Another account, as of now; whoever kept it has made it durable. */
  void install(SinkCheckpoint next) {
    try (var _ = hold()) {
      checkpoint = next;
      moved();
    }
  }

  /** The numbers, all of the same moment. */
  LedgerTotals standing() {
    try (var _ = hold()) {
      long oldest = unacked.oldestMillis();
      for (InFlightBatch inFlightBatch : inFlight) {
        oldest = Math.min(oldest, inFlightBatch.oldestMillis());
      }
      return new LedgerTotals(
          checkpoint.low(),
          checkpoint.counts.copy(),
          checkpoint.ranges.counts().copy(),
          checkpoint.ranges.size(),
          inFlight.size(),
          checkpoint.pendingDeadLetters.size(),
          checkpoint.isPaused,
          checkpoint.isDetached,
          oldest);
    }
  }

  /** Takes the {@link #lock} until it is closed. */
  Hold hold() {
    lock.lock();
    return lock::unlock;
  }

  /** A lock that somebody has. */
  interface Hold extends AutoCloseable {
    @Override
    void close();
  }

  <T> T locked(Supplier<T> look) {
    try (var _ = hold()) {
      return look.get();
    }
  }

  /** The progress itself: only under the {@link #lock}. */
  SinkCheckpoint progress() {
    return checkpoint;
  }

  /** What is on its way: only under the {@link #lock}. */
  Set<InFlightBatch> inFlight() {
    return inFlight;
  }

  /** What the sink holds: only under the {@link #lock}. */
  UnackedBatches held() {
    return unacked;
  }

  /** How often something moved: only under the {@link #lock}. */
  long version() {
    return version;
  }

  /** Something moved: only under the {@link #lock}. */
  void moved() {
    low = checkpoint.low();
    version++;
    changed.signalAll();
  }

  /** The low-water mark. */
  long low() {
    return low;
  }

  /** By a stream's code: the first sequence that the sink takes; the largest if it takes none. */
  long[] firstTaken() {
    try (var _ = hold()) {
      long[] first = new long[STREAMS.length + 1];
      for (Stream stream : STREAMS) {
        boolean takes = checkpoint.takes(stream);
        first[stream.code()] = takes ? checkpoint.counts.since().of(stream) : Long.MAX_VALUE;
      }
      return first;
    }
  }

  /** What is settled above the mark now. */
  Sequences settledAbove() {
    return locked(
        () -> {
          Sequences settled = new Sequences();
          checkpoint.ranges.all().forEach(range -> settled.add(range.from(), range.to()));
          return settled;
        });
  }

  /** Nothing in there is the sink's, but for what is on its way or settled already. */
  void pass(long from, long to) {
    try (var _ = hold()) {
      if (to > checkpoint.low()) {
        checkpoint.settle(from, to, new StreamCounts());
        moved();
      }
    }
  }

  /**
   * A batch is about to go. What the log was let go of meanwhile is left out of it.
   *
   * @return null when nothing is left
   */
  @Nullable InFlightBatch depart(Batch batch, long from) {
    try (var _ = hold()) {
      Batch left = batch;
      if (batch.size() > 0 && batch.sequence(0) <= checkpoint.low()) {
        BitSet above = new BitSet();
        for (int i = 0; i < batch.size(); i++) {
          above.set(i, batch.sequence(i) > checkpoint.low());
        }
        left = batch.only(above);
      }
      if (left.size() == 0) {
        return null;
      }
      InFlightBatch inFlightBatch =
          new InFlightBatch(left, Math.max(from, checkpoint.low() + 1), false);
      inFlight.add(inFlightBatch);
      return inFlightBatch;
    }
  }

  /** Whether that record is to be sent once more. */
  boolean isReplaying(long sequence) {
    return locked(() -> checkpoint.replays.containsKey(sequence));
  }

  /** Whether its delivery has not ended yet. */
  boolean isOnItsWay(InFlightBatch inFlightBatch) {
    return locked(() -> inFlight.contains(inFlightBatch));
  }

  /** Whether nothing but that record waits, and later ones were settled, some by delivery. */
  boolean isOnlyOneLeft(InFlightBatch inFlightBatch, long sequence) {
    return locked(
        () -> inFlight.equals(Set.of(inFlightBatch)) && checkpoint.isOnlyOneLeft(sequence));
  }

  /** Whether that record is on its way or held. */
  boolean isOnItsWay(long sequence) {
    return locked(() -> !onTheirWay(sequence - 1, sequence).isEmpty());
  }

  /** What is on its way or held behind one sequence and up to another: only under the lock. */
  List<Sequences> onTheirWay(long after, long through) {
    List<Sequences> all = unacked.within(after, through);
    for (InFlightBatch inFlightBatch : inFlight) {
      Sequences some =
          inFlightBatch.isReplay() ? new Sequences() : inFlightBatch.open(after, through);
      if (some.count() > 0) {
        all.add(some);
      }
    }
    return all;
  }

  /** That thread delivers it. */
  void started(InFlightBatch inFlightBatch, Thread thread) {
    try (var _ = hold()) {
      inFlightBatch.on(thread);
    }
  }

  /** Who waits for something to move looks again. */
  void wake() {
    try (var _ = hold()) {
      moved();
    }
  }

  /** A batch of what is sent once more is about to go. */
  InFlightBatch departAgain(Batch batch) {
    try (var _ = hold()) {
      InFlightBatch inFlightBatch = new InFlightBatch(batch, 0, true);
      inFlight.add(inFlightBatch);
      return inFlightBatch;
    }
  }

  /**
   * A delivery has ended: what is still open was given up, to be read again.
   *
   * @param missed is told of what cannot be, as the log was let go of it meanwhile; under the lock
   */
  void end(InFlightBatch inFlightBatch, Consumer<Sequences> missed) {
    try (var _ = hold()) {
      inFlight.remove(inFlightBatch);
      StreamCounts lost = new StreamCounts();
      Sequences lostOnes = new Sequences();
      inFlightBatch.close(
          (BitSet) inFlightBatch.open().clone(),
          checkpoint.low(),
          (first, last, records) -> {},
          i -> {
            if (!inFlightBatch.isReplay()) {
              lost.add(inFlightBatch.batch().stream(i));
              lostOnes.add(inFlightBatch.batch().sequence(i));
            }
          });
      checkpoint.counts.below().subtract(lost);
      checkpoint.counts.skipped().add(lost);
      if (lostOnes.count() > 0) {
        missed.accept(lostOnes);
      }
      moved();
    }
  }

  /** The next to be sent once more that is not on its way; 0 when there is none. */
  long nextReplay() {
    try (var _ = hold()) {
      if (checkpoint.replays.isEmpty()) {
        return 0;
      }
      Set<Long> underWay = unacked.replays();
      for (InFlightBatch inFlightBatch : inFlight) {
        if (inFlightBatch.isReplay()) {
          underWay.add(inFlightBatch.batch().sequence(0));
        }
      }
      for (long sequence : checkpoint.replays.keySet()) {
        if (!underWay.contains(sequence)) {
          return sequence;
        }
      }
      return 0;
    }
  }

  /** One to be sent once more is not in the log any more: it stays quarantined. */
  void leaveQuarantined(long sequence) {
    try (var _ = hold()) {
      Stream stream = checkpoint.replays.get(sequence);
      if (stream != null) {
        checkpoint.settleBelow(sequence, stream);
        checkpoint.counts.quarantined().add(stream);
        moved();
      }
    }
  }

  /** These of a shipment are settled; what the destination acknowledged is counted. */
  void settle(
      InFlightBatch inFlightBatch,
      BitSet which,
      Receipt.Outcome outcome,
      StreamCounts acknowledged) {
    try (var _ = hold()) {
      SinkCheckpoint now = checkpoint;
      Batch batch = inFlightBatch.batch();
      StreamCounts closed = new StreamCounts();
      inFlightBatch.close(
          which,
          now.low(),
          (first, last, records) -> {
            now.settle(first, last, records);
            closed.add(records);
          },
          i -> {
            closed.add(batch.stream(i));
            if (inFlightBatch.isReplay()) {
              now.settleBelow(batch.sequence(i), batch.stream(i));
            } else {
              now.counts.below().add(batch.stream(i), -1);
            }
          });
      now.counts.delivered().add(acknowledged);
      if (outcome == Receipt.Outcome.QUARANTINED) {
        now.counts.quarantined().add(closed);
      }
      moved();
    }
  }

  /** The sink holds these. */
  void hold(InFlightBatch inFlightBatch, BitSet which) {
    try (var _ = hold()) {
      unacked.take(inFlightBatch, which, checkpoint.low());
    }
  }

  /** What of it there are receipts to write. */
  List<Sequences> heldSequences() {
    return locked(() -> unacked.sequences());
  }

  /** Everything held is settled. */
  void settleHeld(StreamCounts acknowledged) {
    try (var _ = hold()) {
      unacked.settle(checkpoint);
      checkpoint.counts.delivered().add(acknowledged);
      moved();
    }
  }

  /** Nothing held is kept; as {@link #end}. */
  void discardHeld(Consumer<Sequences> missed) {
    try (var _ = hold()) {
      unacked.below(checkpoint.low()).forEach(missed);
      unacked.discard(checkpoint);
      moved();
    }
  }
}
