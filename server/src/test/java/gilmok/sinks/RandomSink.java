package gilmok.sinks;

import gilmok.log.StreamCounts;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A sink whose verdicts are random. It keeps all of a batch, some or none, always refuses the
 * poison records, refuses everything for a while, throws, and holds batches. It notes two faults: a
 * record that it has acknowledged comes again; and, if it is ordered, a new record comes after a
 * later one.
 */
final class RandomSink implements Sink {
  private static final long POISON = 17;

  /** One send in this many begins a time in which it refuses everything. */
  private static final int CLOSES = 40;

  private static final List<Verdict.Cause> CAUSES = List.of(Verdict.Cause.values());

  private final Random random;
  private final boolean ordered;
  private final Set<Long> acknowledged;
  private final Set<Long> everAcknowledged;
  private final Set<Long> replayed;
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private final Set<Long> seen = new HashSet<>();
  private final Set<Long> held = new HashSet<>();
  private final StreamCounts heldCounts = new StreamCounts();
  private long newest;
  private boolean calm;
  private int closedFor;

  /**
   * @param acknowledged what it has acknowledged and must not see again
   * @param everAcknowledged what it and all earlier sinks of the test have acknowledged
   * @param replayed dead letters that were sent once more, out of order, to it or an earlier sink
   */
  RandomSink(
      long seed,
      boolean ordered,
      Set<Long> acknowledged,
      Set<Long> everAcknowledged,
      Set<Long> replayed) {
    this.random = new Random(seed);
    this.ordered = ordered;
    this.acknowledged = acknowledged;
    this.everAcknowledged = everAcknowledged;
    this.replayed = replayed;
  }

  /** From now on it keeps every record but the poison. */
  synchronized void calm() {
    calm = true;
  }

  /** Notes a rewind: all records from there on will come again. */
  synchronized void rewound(long next) {
    acknowledged.removeIf(sequence -> sequence >= next);
    seen.clear();
    newest = 0;
  }

  /** The faults noted: records that should not have come. */
  List<String> faults() {
    return List.copyOf(faults);
  }

  static boolean isPoison(long sequence) {
    return sequence % POISON == 0;
  }

  @Override
  public String kind() {
    return "random";
  }

  @Override
  public boolean isOrdered() {
    return ordered;
  }

  @Override
  public synchronized Verdict send(Batch batch) {
    look(batch);
    BitSet poison = new BitSet();
    BitSet good = new BitSet();
    for (int i = 0; i < batch.size(); i++) {
      (isPoison(batch.sequence(i)) ? poison : good).set(i);
    }
    int mood = calm ? 0 : random.nextInt(8);
    if (!calm && (closedFor > 0 || random.nextInt(CLOSES) == 0)) {
      closedFor = closedFor > 0 ? closedFor - 1 : random.nextInt(30);
      return new Verdict.Refused("closed");
    }
    if (mood == 1) {
      throw new IllegalStateException("a mood");
    }
    if (mood == 2) {
      return new Verdict.Retry(cause(), "a mood");
    }
    if (poison.isEmpty()) {
      return taken(batch, good, mood);
    }
    if (mood == 3) {
      return new Verdict.RejectThese(poison, "f", "poison", new Verdict.Retry(cause(), ""));
    }
    return mood < 6
        ? new Verdict.Refused("poison")
        : new Verdict.RejectThese(poison, "f", "poison", taken(batch, good, mood));
  }

  private Verdict taken(Batch batch, BitSet good, int mood) {
    if (mood == 4) {
      BitSet again = new BitSet();
      BitSet kept = new BitSet();
      good.stream().forEach(i -> (random.nextBoolean() ? again : kept).set(i));
      return new Verdict.RetryThese(again, acknowledge(batch, kept), "some", cause(), "a mood");
    }
    if (ordered && mood > 4) {
      good.stream()
          .forEach(
              i -> {
                held.add(batch.sequence(i));
                heldCounts.add(batch.stream(i));
              });
      return new Verdict.Held();
    }
    return new Verdict.Done(acknowledge(batch, good), "all");
  }

  private StreamCounts acknowledge(Batch batch, BitSet kept) {
    StreamCounts counts = new StreamCounts();
    for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
      acknowledged.add(batch.sequence(i));
      everAcknowledged.add(batch.sequence(i));
      counts.add(batch.stream(i));
    }
    return counts;
  }

  private Verdict.Cause cause() {
    return CAUSES.get(random.nextInt(CAUSES.size()));
  }

  private void look(Batch batch) {
    for (int i = 0; i < batch.size(); i++) {
      long sequence = batch.sequence(i);
      if (acknowledged.contains(sequence) || held.contains(sequence)) {
        faults.add(sequence + " was sent again");
      }
      // A poison record may be sent once more at any time.
      if (!isPoison(sequence) && !replayed.contains(sequence) && seen.add(sequence)) {
        if (ordered && sequence < newest) {
          faults.add(sequence + " came after " + newest);
        }
        newest = Math.max(newest, sequence);
      }
    }
  }

  @Override
  public synchronized @Nullable Verdict release(boolean now) {
    if (!now && !calm && random.nextInt(4) > 0) {
      return null;
    }
    if (!calm && random.nextInt(4) == 0) {
      return new Verdict.Retry(cause(), "not kept");
    }
    StreamCounts counts = heldCounts.copy();
    acknowledged.addAll(held);
    everAcknowledged.addAll(held);
    forget();
    return new Verdict.Done(counts, "held");
  }

  private void forget() {
    heldCounts.subtract(heldCounts.copy());
    held.clear();
  }

  @Override
  public synchronized void discard() {
    forget();
    seen.clear();
    newest = 0;
  }

  @Override
  public synchronized void close() {}
}
