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
    lock.lock();
    try {
      checkpoint = next;
      moved();
    } finally {
      lock.unlock();
    }
  }

  /** The numbers, all of the same moment. */
  LedgerTotals standing() {
    lock.lock();
    try {
      long oldest = unacked.oldestMillis();
      for (InFlightBatch inFlightBatch : inFlight) {
        oldest = Math.min(oldest, inFlightBatch.oldestMillis());
      }
      return new LedgerTotals(
          checkpoint.low(),
          checkpoint.since(),
          checkpoint.before.copy(),
          checkpoint.delivered.copy(),
          checkpoint.quarantined.copy(),
          checkpoint.skipped.copy(),
          checkpoint.lost.copy(),
          checkpoint.ranges.counts().copy(),
          checkpoint.below.copy(),
          checkpoint.ranges.size(),
          inFlight.size(),
          checkpoint.pendingDeadLetters.size(),
          checkpoint.isPaused,
          checkpoint.isDetached,
          oldest);
    } finally {
      lock.unlock();
    }
  }

  private <T> T locked(Supplier<T> look) {
    lock.lock();
    try {
      return look.get();
    } finally {
      lock.unlock();
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
    lock.lock();
    try {
      long[] first = new long[checkpoint.since.length];
      for (int i = 0; i < first.length; i++) {
        first[i] = checkpoint.since[i] == 0 ? Long.MAX_VALUE : checkpoint.since[i];
      }
      return first;
    } finally {
      lock.unlock();
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
    lock.lock();
    try {
      if (to > checkpoint.low()) {
        checkpoint.settle(from, to, new StreamCounts());
        moved();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * A batch is about to go. What the log was let go of meanwhile is left out of it.
   *
   * @return null when nothing is left
   */
  @Nullable InFlightBatch depart(Batch batch, long from) {
    lock.lock();
    try {
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
    } finally {
      lock.unlock();
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
    lock.lock();
    try {
      inFlightBatch.on(thread);
    } finally {
      lock.unlock();
    }
  }

  /** Who waits for something to move looks again. */
  void wake() {
    lock.lock();
    try {
      moved();
    } finally {
      lock.unlock();
    }
  }

  /** A batch of what is sent once more is about to go. */
  InFlightBatch departAgain(Batch batch) {
    lock.lock();
    try {
      InFlightBatch inFlightBatch = new InFlightBatch(batch, 0, true);
      inFlight.add(inFlightBatch);
      return inFlightBatch;
    } finally {
      lock.unlock();
    }
  }

  /**
   * A delivery has ended: what is still open was given up, to be read again.
   *
   * @param missed is told of what cannot be, as the log was let go of it meanwhile; under the lock
   */
  void end(InFlightBatch inFlightBatch, Consumer<Sequences> missed) {
    lock.lock();
    try {
      inFlight.remove(inFlightBatch);
      StreamCounts lost = new StreamCounts();
      Sequences lostOnes = new Sequences();
      inFlightBatch.close(
          (BitSet) inFlightBatch.open().clone(),
          checkpoint.low(),
          new InFlightBatch.Into() {
            @Override
            public void range(long first, long last, StreamCounts records) {}

            @Override
            public void below(int i) {
              if (!inFlightBatch.isReplay()) {
                lost.add(inFlightBatch.batch().stream(i));
                lostOnes.add(inFlightBatch.batch().sequence(i));
              }
            }
          });
      checkpoint.below.subtract(lost);
      checkpoint.skipped.add(lost);
      if (lostOnes.count() > 0) {
        missed.accept(lostOnes);
      }
      moved();
    } finally {
      lock.unlock();
    }
  }

  /** The next to be sent once more that is not on its way; 0 when there is none. */
  long nextReplay() {
    lock.lock();
    try {
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
    } finally {
      lock.unlock();
    }
  }

  /** One to be sent once more is not in the log any more: it stays quarantined. */
  void leaveQuarantined(long sequence) {
    lock.lock();
    try {
      Stream stream = checkpoint.replays.get(sequence);
      if (stream != null) {
        checkpoint.settleBelow(sequence, stream);
        checkpoint.quarantined.add(stream);
        moved();
      }
    } finally {
      lock.unlock();
    }
  }

  /** These of a shipment are settled; what the destination acknowledged is counted. */
  void settle(
      InFlightBatch inFlightBatch,
      BitSet which,
      Receipt.Outcome outcome,
      StreamCounts acknowledged) {
    lock.lock();
    try {
      SinkCheckpoint now = checkpoint;
      Batch batch = inFlightBatch.batch();
      StreamCounts closed = new StreamCounts();
      inFlightBatch.close(
          which,
          now.low(),
          new InFlightBatch.Into() {
            @Override
            public void range(long first, long last, StreamCounts records) {
              now.settle(first, last, records);
              closed.add(records);
            }

            @Override
            public void below(int i) {
              closed.add(batch.stream(i));
              if (inFlightBatch.isReplay()) {
                now.settleBelow(batch.sequence(i), batch.stream(i));
              } else {
                now.below.add(batch.stream(i), -1);
              }
            }
          });
      now.delivered.add(acknowledged);
      if (outcome == Receipt.Outcome.QUARANTINED) {
        now.quarantined.add(closed);
      }
      moved();
    } finally {
      lock.unlock();
    }
  }

  /** The sink holds these. */
  void hold(InFlightBatch inFlightBatch, BitSet which) {
    lock.lock();
    try {
      unacked.take(inFlightBatch, which, checkpoint.low());
    } finally {
      lock.unlock();
    }
  }

  /** What of it there are receipts to write. */
  List<Sequences> heldSequences() {
    return locked(() -> unacked.sequences());
  }

  /** Everything held is settled. */
  void settleHeld(StreamCounts acknowledged) {
    lock.lock();
    try {
      unacked.settle(checkpoint);
      checkpoint.delivered.add(acknowledged);
      moved();
    } finally {
      lock.unlock();
    }
  }

  /** Nothing held is kept; as {@link #end}. */
  void discardHeld(Consumer<Sequences> missed) {
    lock.lock();
    try {
      unacked.below(checkpoint.low()).forEach(missed);
      unacked.discard(checkpoint);
      moved();
    } finally {
      lock.unlock();
    }
  }
}
