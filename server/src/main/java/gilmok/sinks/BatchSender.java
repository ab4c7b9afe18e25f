package gilmok.sinks;

import gilmok.log.StreamCounts;
import gilmok.observe.PartTimes;
import gilmok.sinks.Receipt.Outcome;
import gilmok.sinks.Verdict.Cause;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Delivers one batch to its sink: sends it, obeys the verdict, and repeats that until every record
 * is settled, held by the sink, or given up because the server stops or reads it again.
 *
 * <p>The oldest part is always sent next, so that a sink that keeps order gets its records in
 * order.
 *
 * <p>Not thread-safe: one thread runs it.
 */
final class BatchSender implements Runnable {
  private static final Logger LOGGER = System.getLogger("gilmok.sinks");

  /** After this many exceptions for one batch, the sink counts as refusing it. */
  static final int BUGS_MAX = 3;

  /** Replaces a verdict that breaks the contract. */
  static final Verdict.Retry UNKNOWN =
      new Verdict.Retry(Cause.FAILED, "a verdict that cannot be obeyed");

  private final BatchSenderContext means;
  private final InFlightBatch inFlightBatch;
  private final Batch batch;
  private final Deque<BitSet> parts = new ArrayDeque<>();

  /** A record that was refused alone, and what the destination had taken by then. */
  private record Suspect(String reason, long takenBefore) {}

  private final Map<Integer, Suspect> suspects = new TreeMap<>();
  private final boolean isProbe;
  private volatile boolean isDone;
  private boolean tookSome;
  private boolean mayJudge;
  private boolean hasWaited;
  private long takenBefore;
  private int bugs;
  private int failures;
  private int attempts;

  /**
   * @param isProbe whether this tries one record of a held sink, once, and gives up if it is not
   *     taken
   */
  BatchSender(BatchSenderContext means, InFlightBatch inFlightBatch, boolean isProbe) {
    this.means = means;
    this.inFlightBatch = inFlightBatch;
    this.batch = inFlightBatch.batch();
    this.isProbe = isProbe;
    BitSet all = new BitSet(batch.size());
    all.set(0, batch.size());
    parts.push(all);
  }

  @Override
  public void run() {
    means.account().started(inFlightBatch, Thread.currentThread());
    BatchTimes.begin();
    long began = System.nanoTime();
    try {
      deliver();
    } catch (InterruptedException stopped) {
      // The server stops: the result of the send is unknown, so the records are sent again.
    } catch (RuntimeException | Error bug) {
      // First, so that the batch is read again: logging may fail, too.
      means.flow().broken("a bug: " + bug);
      LOGGER.log(Level.ERROR, "a bug stopped a sink, its records wait: " + means.name(), bug);
    } finally {
      means.breaker().left(this);
      means.account().end(inFlightBatch, means.cursor()::bookSkipped);
      means.meter().times().ended(inFlightBatch, began, means.flow().nowMillis());
    }
  }

  /** Whether every record was settled, held or quarantined, so that none was given up. */
  boolean isDone() {
    return isDone;
  }

  private void deliver() throws InterruptedException {
    if (isProbe) {
      probe();
    }
    while (!isProbe && !isAllDone() && means.flow().mayGo()) {
      switch (means.breaker().turn(this)) {
        case GO -> go();
        case PROBE -> probe();
        case STOP -> {
          return;
        }
      }
    }
    isDone = isAllDone();
  }

  private boolean isAllDone() {
    return parts.isEmpty() && suspects.isEmpty();
  }

  /** Sends the oldest part; if none is left, a suspect, once the destination took others. */
  private void go() throws InterruptedException {
    mayJudge = true;
    if (!parts.isEmpty()) {
      BitSet part = parts.pop();
      obey(part, part, send(part));
      return;
    }
    Map.Entry<Integer, Suspect> first = suspects.entrySet().iterator().next();
    if (!hasWaited && means.breaker().taken() <= first.getValue().takenBefore) {
      pause(Cause.REFUSED, first.getValue().reason);
      hasWaited = true;
    } else {
      sendAlone(first.getKey());
    }
  }

  private void probe() throws InterruptedException {
    mayJudge = false;
    try {
      sendAlone(oneToProbe());
    } finally {
      means.breaker().probed(this);
    }
  }

  /**
   * Chooses the record to probe with. Any record will do, because a run of bad ones must not hide
   * the good. For a sink that keeps order, it is the oldest one, or the oldest that was not refused
   * alone.
   */
  private int oneToProbe() {
    BitSet left = new BitSet();
    parts.forEach(left::or);
    RandomGenerator random = ThreadLocalRandom.current();
    if (means.sink().isOrdered() && !left.isEmpty() && random.nextBoolean()) {
      return left.nextSetBit(0);
    }
    suspects.keySet().forEach(left::set);
    int[] indexes = left.stream().toArray();
    return indexes[means.sink().isOrdered() ? 0 : random.nextInt(indexes.length)];
  }

  private void sendAlone(int index) throws InterruptedException {
    hasWaited = false;
    BitSet one = Indexes.of(index);
    parts.forEach(part -> part.clear(index));
    parts.removeIf(BitSet::isEmpty);
    Verdict verdict = send(one);
    if (!(verdict instanceof Verdict.Refused)) {
      suspects.remove(index);
    }
    obey(one, one, verdict);
  }

  private Verdict send(BitSet part) throws InterruptedException {
    Batch sent = part.cardinality() == batch.size() ? batch : batch.only(part);
    takenBefore = means.breaker().taken();
    long began = System.nanoTime();
    long clock = PartTimes.clock();
    Verdict verdict;
    // An ordered sink is never called by two threads at once.
    boolean isAlone = means.sink().isOrdered();
    if (isAlone) {
      means.sinkLock().lock();
    }
    try {
      verdict = means.sink().send(sent);
      // Before the sink can be asked to release it.
      means.account().hold(inFlightBatch, held(part, verdict));
    } catch (RuntimeException | Error bug) {
      verdict = thrown(bug);
    } finally {
      if (isAlone) {
        means.sinkLock().unlock();
      }
    }
    PartTimes.worked(BatchTimes.attempt(++attempts), PartTimes.clock() - clock);
    means.meter().sent(sent.size(), System.nanoTime() - began, verdict);
    return verdict;
  }

  /**
   * Handles an exception of the sink. A single one may have any cause. If they go on, a record may
   * be the cause, and it is found by dividing the batch.
   */
  private Verdict thrown(Throwable bug) {
    String what = "a bug: " + bug.getClass().getName();
    if (++bugs <= BUGS_MAX) {
      LOGGER.log(Level.ERROR, "a bug in a sink, its batch is retried: " + means.name(), bug);
    }
    return bugs < BUGS_MAX ? new Verdict.Retry(Cause.FAILED, what) : new Verdict.Refused(what);
  }

  /** The records of a part that the sink holds now. */
  private BitSet held(BitSet part, Verdict verdict) {
    BitSet held = new BitSet();
    if (!means.sink().isOrdered()) {
      return held;
    }
    if (verdict instanceof Verdict.Held) {
      return part;
    }
    if (verdict instanceof Verdict.RejectThese(BitSet rejected, _, _, Verdict.Held())) {
      held.or(part);
      held.andNot(Indexes.ofBatch(rejected, part));
    }
    return held;
  }

  /**
   * @param sent the records that were sent, which the verdict's indexes count
   * @param about the records that the verdict is about, as indexes of the whole batch
   */
  private void obey(BitSet sent, BitSet about, Verdict verdict) throws InterruptedException {
    switch (verdict) {
      case Verdict.Done(StreamCounts acknowledged, String place) ->
          settle(about, Outcome.DELIVERED, acknowledged, place);
      case Verdict.Held() -> {
        if (means.sink().isOrdered()) {
          succeeded();
        } else {
          obey(sent, about, UNKNOWN);
        }
      }
      case Verdict.Retry(Cause cause, String detail) -> {
        if (!about.isEmpty()) {
          parts.push(about);
          pause(cause, detail);
        }
      }
      case Verdict.RetryThese(
              BitSet again,
              StreamCounts acknowledged,
              String place,
              Cause cause,
              String detail) -> {
        BitSet left = Indexes.ofBatch(again, sent);
        left.and(about);
        BitSet kept = (BitSet) about.clone();
        kept.andNot(left);
        if (!kept.isEmpty() || acknowledged.total() != 0) {
          settle(kept, Outcome.DELIVERED, acknowledged, place);
        }
        if (!left.isEmpty()) {
          parts.push(left);
          pause(cause, detail);
        }
      }
      case Verdict.RejectThese(BitSet rejected, String field, String reason, Verdict rest) -> {
        BitSet out = Indexes.ofBatch(rejected, sent);
        out.and(about);
        BitSet others = (BitSet) about.clone();
        others.andNot(out);
        boolean isProgress = !out.isEmpty();
        boolean isUnsent = rest instanceof Verdict.Retry(_, String detail) && detail.isEmpty();
        setAside(out, field, reason);
        if (others.isEmpty()) {
          means.flow().succeeded();
        }
        if (isUnsent && isProgress) {
          if (!others.isEmpty()) {
            parts.push(others);
          }
        } else if (rest instanceof Verdict.RejectThese || rest instanceof Verdict.Refused) {
          obey(sent, others, UNKNOWN);
        } else {
          obey(sent, others, rest);
        }
      }
      case Verdict.Refused(String reason) -> refused(about, reason);
    }
  }

  private void succeeded() {
    tookSome = true;
    failures = 0;
    means.breaker().took();
    means.flow().succeeded();
  }

  private boolean settle(BitSet which, Outcome outcome, StreamCounts acknowledged, String place)
      throws InterruptedException {
    long clock = PartTimes.clock();
    if (!which.isEmpty()) {
      Receipt receipt =
          new Receipt(Indexes.sequences(batch, which), outcome, means.flow().nowMillis(), place);
      while (!means.book(receipt)) {
        if (!means.flow().pause(++failures, false)) {
          return false;
        }
      }
    }
    if (outcome == Outcome.DELIVERED) {
      // Before the records become visible as settled: otherwise the fault would remain with nothing
      // waiting.
      succeeded();
    }
    means.account().settle(inFlightBatch, which, outcome, acknowledged);
    means.meter().delivered(acknowledged);
    PartTimes.worked(BatchTimes.SETTLE, PartTimes.clock() - clock);
    return true;
  }

  private void pause(Cause cause, String detail) throws InterruptedException {
    means.meter().retried(cause);
    if (cause == Cause.PACED) {
      return; // It has waited for its turn already, and nothing is wrong.
    }
    means.flow().failed(detail.isEmpty() ? cause.name() : detail);
    means.flow().pause(++failures, cause == Cause.THROTTLED);
  }

  private void setAside(BitSet out, String field, String reason) throws InterruptedException {
    BitSet left = (BitSet) out.clone();
    while (!left.isEmpty()) {
      BitSet before = (BitSet) left.clone();
      if (means.deadLetters().put(batch, left, field, reason)) {
        before.andNot(left);
        if (!settle(before, Outcome.QUARANTINED, new StreamCounts(), reason)) {
          return;
        }
        means.meter().quarantined(batch, before);
      } else {
        means.flow().failed("the log has no room for what is refused: " + reason);
        if (!means.flow().pause(++failures, false)) {
          return;
        }
      }
    }
  }

  private void refused(BitSet part, String reason) throws InterruptedException {
    if (part.cardinality() == 1) {
      refusedAlone(part, reason);
    } else if (means.breaker().isHeld()) {
      parts.push(part);
    } else {
      means.breaker().refusedTogether(this, takenBefore);
      BitSet[] halves = Indexes.halves(part);
      parts.push(halves[1]);
      parts.push(halves[0]);
    }
  }

  /**
   * Decides about a record that was refused alone. It is at fault if the destination took others
   * since it was refused alone before, if its neighbours in the batch were taken and the sink is
   * not held, or if it is the only one left while later ones were taken. A replayed record, and the
   * quarantine's copy of a record that this sink refused, were judged before and are quarantined at
   * once; but while the sink is held, such a copy waits like any other record.
   */
  private void refusedAlone(BitSet one, String reason) throws InterruptedException {
    int index = one.nextSetBit(0);
    Suspect before = suspects.get(index);
    boolean isLast =
        before != null
            && parts.isEmpty()
            && suspects.size() == 1
            && means.account().isOnlyOneLeft(inFlightBatch, batch.sequence(index));
    boolean isJudged = before != null && (tookSome || takenBefore > before.takenBefore);
    boolean isSure = isLast || inFlightBatch.isReplay();
    boolean isAtFault =
        isSure || (mayJudge && (isJudged || means.deadLetters().hasPut(batch, index)));
    if (!isAtFault) {
      suspects.putIfAbsent(index, new Suspect(reason, takenBefore));
      means.flow().failed(reason);
      means.breaker().refusedAlone(this, takenBefore, reason);
      return;
    }
    suspects.remove(index);
    setAside(one, "", reason);
    if (isAllDone()) {
      means.flow().succeeded();
      if (isLast) {
        means.breaker().reset();
      }
    }
  }
}
