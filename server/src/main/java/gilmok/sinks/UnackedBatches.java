package gilmok.sinks;

import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * The records that a sink has taken and not settled yet ({@link Verdict.Held}), without their
 * bytes.
 *
 * <p>Guarded by the lock of the {@link SinkState}.
 */
final class UnackedBatches {
  private final Ranges ranges = new Ranges();
  private final StreamCounts below = new StreamCounts();
  private final TreeMap<Long, Stream> replays = new TreeMap<>();
  private final List<Sequences> sequences = new ArrayList<>();
  private long oldestMillis = Long.MAX_VALUE;
  private long last = Long.MAX_VALUE;

  /** Adds records of a batch that the sink holds. */
  void take(InFlightBatch inFlightBatch, BitSet which, long low) {
    Batch batch = inFlightBatch.batch();
    for (int i = which.nextSetBit(0); i >= 0; i = which.nextSetBit(i + 1)) {
      if (!inFlightBatch.open().get(i)) {
        continue;
      }
      if (batch.sequence(i) <= last) {
        sequences.add(new Sequences());
      }
      last = batch.sequence(i);
      sequences.getLast().add(last);
      oldestMillis = Math.min(oldestMillis, batch.receivedAtMillis(i));
    }
    inFlightBatch.close(
        which,
        low,
        ranges::add,
        i -> {
          if (inFlightBatch.isReplay()) {
            replays.put(batch.sequence(i), batch.stream(i));
          } else {
            below.add(batch.stream(i));
          }
        });
  }

  /** The held ranges above the low-water mark. */
  Ranges ranges() {
    return ranges;
  }

  /** The held records that are replayed. */
  Set<Long> replays() {
    return new HashSet<>(replays.keySet());
  }

  /** The held sequences, for receipts. */
  List<Sequences> sequences() {
    return List.copyOf(sequences);
  }

  long oldestMillis() {
    return oldestMillis;
  }

  /** The mark has passed records up to {@code through}: they now wait below it. */
  void letGo(long through) {
    below.add(ranges.through(through));
    ranges.absorb(through);
  }

  /** Settles all held records. */
  void settle(SinkCheckpoint checkpoint) {
    for (Ranges.Range range : ranges.all()) {
      checkpoint.settle(range.from(), range.to(), range.counts());
    }
    replays.forEach(checkpoint::settleBelow);
    checkpoint.counts.below().subtract(below);
    clear();
  }

  /** The held sequences at or below the mark, which a full log made the sink give up. */
  List<Sequences> below(long low) {
    return within(0, low);
  }

  /** The held sequences after {@code after} up to {@code through} that are not replayed. */
  List<Sequences> within(long after, long through) {
    List<Sequences> all = new ArrayList<>();
    for (Sequences some : sequences) {
      Sequences passed = new Sequences();
      for (int run = 0; run < some.runs(); run++) {
        long first = Math.max(after + 1, some.first(run));
        for (long one = first; one <= Math.min(through, some.last(run)); one++) {
          if (!replays.containsKey(one)) {
            passed.add(one);
          }
        }
      }
      if (passed.count() > 0) {
        all.add(passed);
      }
    }
    return all;
  }

  /**
   * Drops all held records. They are read again, except those below the mark, which count as
   * skipped.
   */
  void discard(SinkCheckpoint checkpoint) {
    checkpoint.counts.below().subtract(below);
    checkpoint.counts.skipped().add(below);
    clear();
  }

  private void clear() {
    ranges.clear();
    below.subtract(below.copy());
    replays.clear();
    sequences.clear();
    oldestMillis = Long.MAX_VALUE;
    last = Long.MAX_VALUE;
  }
}
