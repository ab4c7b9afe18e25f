package gilmok.sinks;

import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The account of one sink: its checkpoint, the batches in flight, and the records that the sink
 * holds.
 *
 * <p>Thread-safe: every method takes the {@link #lock}, which is never held for long. It is taken
 * after the lock of the {@link SinkCursor}, which saves the account; under it, only the lock for
 * writing receipts is taken.
 */
final class SinkState {
  private static final Stream[] STREAMS = Stream.values();

  /** Guards the whole account; {@link #changed} wakes the threads that wait for a change. */
  final ReentrantLock lock = new ReentrantLock();

  final Condition changed = lock.newCondition();

  private final Set<InFlightBatch> inFlight = new LinkedHashSet<>();
  private final UnackedBatches unacked = new UnackedBatches();
  private SinkCheckpoint checkpoint = new SinkCheckpoint(0);
  private long version;
  private volatile long low;

  /** The thread of the sink's loop, which parks and so needs no lock to be woken. */
  private volatile @Nullable Thread loop;

  /** Those who wait for the sink; null if nobody ever does. Set before the sink's loop starts. */
  @Nullable SettlementWatch waits;

  /** Sets the thread of the sink's loop. */
  void loop(Thread thread) {
    loop = thread;
  }

  /** Replaces the checkpoint; the caller has made it durable. */
  void install(SinkCheckpoint next) {
    try (var _ = hold()) {
      checkpoint = next;
      if (waits != null) {
        waits.reset();
      }
      moved();
    }
  }

  /** Under the lock, {@link #tell} follows when it is given back. */
  private void settled(long from, long to, boolean isAnswer) {
    if (waits != null) {
      waits.settled(from, to, checkpoint, isAnswer);
    }
  }

  private void tell() {
    if (waits != null) {
      waits.tell();
    }
  }

  /** The numbers of the account, all of one moment. */
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

  /** Takes the {@link #lock} until the result is closed. */
  Hold hold() {
    lock.lock();
    return lock::unlock;
  }

  /** A lock that is held. */
  interface Hold extends AutoCloseable {
    @Override
    void close();
  }

  <T> T locked(Supplier<T> look) {
    try (var _ = hold()) {
      return look.get();
    }
  }

  /** The checkpoint itself. Call it under the {@link #lock} only. */
  SinkCheckpoint progress() {
    return checkpoint;
  }

  /** The batches in flight. Call it under the {@link #lock} only. */
  Set<InFlightBatch> inFlight() {
    return inFlight;
  }

  /** The records that the sink holds. Call it under the {@link #lock} only. */
  UnackedBatches held() {
    return unacked;
  }

  /** The number of changes so far. Call it under the {@link #lock} only. */
  long version() {
    return version;
  }

  /** Marks a change and wakes those who wait for one. Call it under the {@link #lock} only. */
  void moved() {
    low = checkpoint.low();
    version++;
    changed.signalAll();
    LockSupport.unpark(loop);
  }

  /** The low-water mark. */
  long low() {
    return low;
  }

  /**
   * By a stream's code: the first sequence that the sink takes; {@link Long#MAX_VALUE} if it takes
   * none.
   */
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

  /** The settled sequences above the mark, as of now. */
  Sequences settledAbove() {
    return locked(
        () -> {
          Sequences settled = new Sequences();
          checkpoint.ranges.all().forEach(range -> settled.add(range.from(), range.to()));
          return settled;
        });
  }

  /** Settles a range without records to send; {@code erased} of the sink's in it were erased. */
  void pass(long from, long to, StreamCounts erased) {
    try (var _ = hold()) {
      if (to > checkpoint.low()) {
        checkpoint.pass(from, to, erased);
        settled(from, to, false);
        moved();
      }
    }
    tell();
  }

  /**
   * Marks a batch as in flight, without the records that a full log made the sink give up
   * meanwhile.
   *
   * @return null when no record is left
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

  /** Whether that record waits to be replayed. */
  boolean isReplaying(long sequence) {
    return locked(() -> checkpoint.replays.containsKey(sequence));
  }

  /** Whether the batch's sender has not ended yet. */
  boolean isOnItsWay(InFlightBatch inFlightBatch) {
    return locked(() -> inFlight.contains(inFlightBatch));
  }

  /** Whether only that record waits, and later ones were settled, some of them by delivery. */
  boolean isOnlyOneLeft(InFlightBatch inFlightBatch, long sequence) {
    return locked(
        () -> inFlight.equals(Set.of(inFlightBatch)) && checkpoint.isOnlyOneLeft(sequence));
  }

  /** Whether that record is in flight or held. */
  boolean isOnItsWay(long sequence) {
    return locked(() -> !onTheirWay(sequence - 1, sequence).isEmpty());
  }

  /**
   * The sequences after {@code after} up to {@code through} that are in flight or held. Call it
   * under the lock only.
   */
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

  /** Sets the thread that sends a batch. */
  void started(InFlightBatch inFlightBatch, Thread thread) {
    try (var _ = hold()) {
      inFlightBatch.on(thread);
    }
  }

  /** Wakes the threads that wait for a change. */
  void wake() {
    try (var _ = hold()) {
      moved();
    }
  }

  /** Marks a batch of replayed records as in flight. */
  InFlightBatch departAgain(Batch batch) {
    try (var _ = hold()) {
      InFlightBatch inFlightBatch = new InFlightBatch(batch, 0, true);
      inFlight.add(inFlightBatch);
      return inFlightBatch;
    }
  }

  /**
   * A batch sender has ended: its open records were given up and are read again.
   *
   * @param missed gets the records that cannot be read again, because the full log made the sink
   *     give them up meanwhile; called under the lock
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

  /** The next record to replay that is not in flight; 0 when there is none. */
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

  /** A record to replay is no longer in the log: it stays quarantined. */
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

  /** Settles records of a batch; counts those that the destination acknowledged. */
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
            settled(first, last, true);
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
    tell();
  }

  /** Marks records as held by the sink. */
  void hold(InFlightBatch inFlightBatch, BitSet which) {
    try (var _ = hold()) {
      unacked.take(inFlightBatch, which, checkpoint.low());
    }
  }

  /** The held records, for receipts. */
  List<Sequences> heldSequences() {
    return locked(() -> unacked.sequences());
  }

  /** Settles all held records. */
  void settleHeld(StreamCounts acknowledged) {
    try (var _ = hold()) {
      List<Ranges.Range> ranges = List.copyOf(unacked.ranges().all());
      unacked.settle(checkpoint);
      ranges.forEach(range -> settled(range.from(), range.to(), true));
      checkpoint.counts.delivered().add(acknowledged);
      moved();
    }
    tell();
  }

  /** Drops all held records; {@code missed} as in {@link #end}. */
  void discardHeld(Consumer<Sequences> missed) {
    try (var _ = hold()) {
      unacked.below(checkpoint.low()).forEach(missed);
      unacked.discard(checkpoint);
      moved();
    }
  }
}
