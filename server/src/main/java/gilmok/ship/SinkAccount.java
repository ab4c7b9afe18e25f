package gilmok.ship;

import gilmok.log.Counts;
import gilmok.log.Stream;
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
final class SinkAccount {
  /** Guards all of it; {@link #changed} wakes who waits for something to move. */
  final ReentrantLock lock = new ReentrantLock();

  final Condition changed = lock.newCondition();

  private final Set<Shipment> inFlight = new LinkedHashSet<>();
  private final Held held = new Held();
  private Progress progress = new Progress(0);
  private long version;
  private volatile long low;

  /** Another account, as of now; whoever kept it has made it durable. */
  void install(Progress next) {
    lock.lock();
    try {
      progress = next;
      moved();
    } finally {
      lock.unlock();
    }
  }

  /** The numbers, all of the same moment. */
  AccountStanding standing() {
    lock.lock();
    try {
      Progress now = progress;
      long oldest = held.oldestMillis();
      for (Shipment shipment : inFlight) {
        oldest = Math.min(oldest, shipment.oldestMillis());
      }
      return new AccountStanding(
          now.low(),
          now.since(),
          now.before.copy(),
          now.delivered.copy(),
          now.quarantined.copy(),
          now.skipped.copy(),
          now.lost.copy(),
          now.ranges.counts().copy(),
          now.below.copy(),
          now.ranges.size(),
          inFlight.size(),
          now.noted.size(),
          now.isPaused,
          now.isDetached,
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
  Progress progress() {
    return progress;
  }

  /** What is on its way: only under the {@link #lock}. */
  Set<Shipment> inFlight() {
    return inFlight;
  }

  /** What the sink holds: only under the {@link #lock}. */
  Held held() {
    return held;
  }

  /** How often something moved: only under the {@link #lock}. */
  long version() {
    return version;
  }

  /** Something moved: only under the {@link #lock}. */
  void moved() {
    low = progress.low();
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
      long[] first = new long[progress.since.length];
      for (int i = 0; i < first.length; i++) {
        first[i] = progress.since[i] == 0 ? Long.MAX_VALUE : progress.since[i];
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
          progress.ranges.all().forEach(range -> settled.add(range.from(), range.to()));
          return settled;
        });
  }

  /** Nothing in there is the sink's, but for what is on its way or settled already. */
  void pass(long from, long to) {
    lock.lock();
    try {
      if (to > progress.low()) {
        progress.settle(from, to, new Counts());
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
  @Nullable Shipment depart(Batch batch, long from) {
    lock.lock();
    try {
      Batch left = batch;
      if (batch.size() > 0 && batch.sequence(0) <= progress.low()) {
        BitSet above = new BitSet();
        for (int i = 0; i < batch.size(); i++) {
          above.set(i, batch.sequence(i) > progress.low());
        }
        left = batch.only(above);
      }
      if (left.size() == 0) {
        return null;
      }
      Shipment shipment = new Shipment(left, Math.max(from, progress.low() + 1), false);
      inFlight.add(shipment);
      return shipment;
    } finally {
      lock.unlock();
    }
  }

  /** Whether that record is to be sent once more. */
  boolean isReplaying(long sequence) {
    return locked(() -> progress.replays.containsKey(sequence));
  }

  /** Whether its delivery has not ended yet. */
  boolean isOnItsWay(Shipment shipment) {
    return locked(() -> inFlight.contains(shipment));
  }

  /** Whether nothing but that record waits, and later ones were settled, some by delivery. */
  boolean isOnlyOneLeft(Shipment shipment, long sequence) {
    return locked(() -> inFlight.equals(Set.of(shipment)) && progress.isOnlyOneLeft(sequence));
  }

  /** Whether that record is on its way or held. */
  boolean isOnItsWay(long sequence) {
    return locked(() -> !onTheirWay(sequence - 1, sequence).isEmpty());
  }

  /** What is on its way or held behind one sequence and up to another: only under the lock. */
  List<Sequences> onTheirWay(long after, long through) {
    List<Sequences> all = held.within(after, through);
    for (Shipment shipment : inFlight) {
      Sequences some = shipment.isReplay() ? new Sequences() : shipment.open(after, through);
      if (some.count() > 0) {
        all.add(some);
      }
    }
    return all;
  }

  /** That thread delivers it. */
  void started(Shipment shipment, Thread thread) {
    lock.lock();
    try {
      shipment.on(thread);
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
  Shipment departAgain(Batch batch) {
    lock.lock();
    try {
      Shipment shipment = new Shipment(batch, 0, true);
      inFlight.add(shipment);
      return shipment;
    } finally {
      lock.unlock();
    }
  }

  /**
   * A delivery has ended: what is still open was given up, to be read again.
   *
   * @param missed is told of what cannot be, as the log was let go of it meanwhile; under the lock
   */
  void end(Shipment shipment, Consumer<Sequences> missed) {
    lock.lock();
    try {
      inFlight.remove(shipment);
      Counts lost = new Counts();
      Sequences lostOnes = new Sequences();
      shipment.close(
          (BitSet) shipment.open().clone(),
          progress.low(),
          new Shipment.Into() {
            @Override
            public void range(long first, long last, Counts records) {}

            @Override
            public void below(int i) {
              if (!shipment.isReplay()) {
                lost.add(shipment.batch().stream(i));
                lostOnes.add(shipment.batch().sequence(i));
              }
            }
          });
      progress.below.subtract(lost);
      progress.skipped.add(lost);
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
      if (progress.replays.isEmpty()) {
        return 0;
      }
      Set<Long> underWay = held.replays();
      for (Shipment shipment : inFlight) {
        if (shipment.isReplay()) {
          underWay.add(shipment.batch().sequence(0));
        }
      }
      for (long sequence : progress.replays.keySet()) {
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
      Stream stream = progress.replays.get(sequence);
      if (stream != null) {
        progress.settleBelow(sequence, stream);
        progress.quarantined.add(stream);
        moved();
      }
    } finally {
      lock.unlock();
    }
  }

  /** These of a shipment are settled; what the destination acknowledged is counted. */
  void settle(Shipment shipment, BitSet which, Receipt.Outcome outcome, Counts acknowledged) {
    lock.lock();
    try {
      Progress now = progress;
      Batch batch = shipment.batch();
      Counts closed = new Counts();
      shipment.close(
          which,
          now.low(),
          new Shipment.Into() {
            @Override
            public void range(long first, long last, Counts records) {
              now.settle(first, last, records);
              closed.add(records);
            }

            @Override
            public void below(int i) {
              closed.add(batch.stream(i));
              if (shipment.isReplay()) {
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
  void hold(Shipment shipment, BitSet which) {
    lock.lock();
    try {
      held.take(shipment, which, progress.low());
    } finally {
      lock.unlock();
    }
  }

  /** What of it there are receipts to write. */
  List<Sequences> heldSequences() {
    return locked(() -> held.sequences());
  }

  /** Everything held is settled. */
  void settleHeld(Counts acknowledged) {
    lock.lock();
    try {
      held.settle(progress);
      progress.delivered.add(acknowledged);
      moved();
    } finally {
      lock.unlock();
    }
  }

  /** Nothing held is kept; as {@link #end}. */
  void discardHeld(Consumer<Sequences> missed) {
    lock.lock();
    try {
      held.below(progress.low()).forEach(missed);
      held.discard(progress);
      moved();
    } finally {
      lock.unlock();
    }
  }
}
