package gilmok.ship;

import gilmok.log.Counts;
import gilmok.ship.Receipt.Outcome;
import gilmok.ship.Verdict.Cause;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Brings one shipment to its sink: sends, obeys the verdict, and goes on until every record is
 * settled, held, or given up because the server stops or reads it again.
 *
 * <p>What is sent next is always the oldest part, so that a sink that keeps order gets it in order.
 *
 * <p>Not thread-safe: one virtual thread runs it.
 */
final class Delivery implements Runnable {
  private static final Logger LOGGER = System.getLogger("gilmok.ship");

  /** How often a batch is tried again of which every record was refused. */
  static final int REFUSALS_MAX = 5;

  /** In place of a verdict that breaks the contract. */
  static final Verdict.Retry UNKNOWN =
      new Verdict.Retry(Cause.FAILED, "a verdict that cannot be obeyed");

  private static final int PLACE_CHARS_MAX = 200;

  /** What the deliveries of one sink share. */
  record Means(
      String name,
      Sink sink,
      ReentrantLock sinkLock,
      SinkAccount account,
      SinkCursor cursor,
      Traffic traffic,
      Aside aside,
      SinkMeter meter,
      InstantSource clock) {}

  private final Means means;
  private final Shipment shipment;
  private final Batch batch;
  private final Deque<BitSet> parts = new ArrayDeque<>();

  /** Refused while alone, with the reason; judged when it is known what became of the others. */
  private final Map<Integer, String> suspects = new TreeMap<>();

  private boolean tookSome;
  private int refusals;
  private int failures;

  Delivery(Means means, Shipment shipment) {
    this.means = means;
    this.shipment = shipment;
    this.batch = shipment.batch();
    BitSet all = new BitSet(batch.size());
    all.set(0, batch.size());
    parts.push(all);
  }

  @Override
  public void run() {
    means.account().started(shipment, Thread.currentThread());
    try {
      deliver();
    } catch (InterruptedException stopped) {
      // The server stops: nothing is known of what was being sent, so it is sent again.
    } catch (RuntimeException | Error bug) {
      LOGGER.log(Level.ERROR, "a bug stopped the sink " + means.name(), bug);
      means.traffic().broken("a bug: " + bug);
    } finally {
      means.account().end(shipment, means.cursor()::bookSkipped);
    }
  }

  private void deliver() throws InterruptedException {
    while (means.traffic().mayGo()) {
      if (parts.isEmpty() && (suspects.isEmpty() || !judge())) {
        return;
      }
      if (!parts.isEmpty()) {
        BitSet part = parts.pop();
        obey(part, part, send(part));
      }
    }
  }

  private Verdict send(BitSet part) throws InterruptedException {
    Batch sent = part.cardinality() == batch.size() ? batch : batch.only(part);
    long began = System.nanoTime();
    Verdict verdict;
    // One that is ordered is never asked for two things at once.
    boolean isAlone = means.sink().isOrdered();
    if (isAlone) {
      means.sinkLock().lock();
    }
    try {
      verdict = means.sink().send(sent);
      // Before the sink can be asked for it.
      means.account().hold(shipment, held(part, verdict));
    } catch (RuntimeException | Error bug) {
      LOGGER.log(Level.ERROR, "a bug in the sink " + means.name() + ", it is tried again", bug);
      verdict = new Verdict.Retry(Cause.FAILED, "a bug: " + bug.getClass().getName());
    } finally {
      if (isAlone) {
        means.sinkLock().unlock();
      }
    }
    means.meter().sent(sent.size(), System.nanoTime() - began, verdict);
    return verdict;
  }

  /** What of a part the sink holds now. */
  private BitSet held(BitSet part, Verdict verdict) {
    if (means.sink().isOrdered() && verdict instanceof Verdict.Held) {
      return part;
    }
    BitSet held = new BitSet();
    if (means.sink().isOrdered()
        && verdict instanceof Verdict.RejectThese(BitSet rejected, _, _, Verdict.Held())) {
      held.or(part);
      held.andNot(ours(rejected, part));
    }
    return held;
  }

  /**
   * @param sent what the verdict's indexes count
   * @param about the part of it that the verdict is about, ours
   */
  private void obey(BitSet sent, BitSet about, Verdict verdict) throws InterruptedException {
    switch (verdict) {
      case Verdict.Done(Counts acknowledged, String place) -> {
        deliver(about, acknowledged, place);
      }
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
              Counts acknowledged,
              String place,
              Cause cause,
              String detail) -> {
        BitSet left = ours(again, sent);
        left.and(about);
        BitSet kept = (BitSet) about.clone();
        kept.andNot(left);
        if (!kept.isEmpty() || acknowledged.total() != 0) {
          deliver(kept, acknowledged, place);
        }
        if (!left.isEmpty()) {
          parts.push(left);
          pause(cause, detail);
        }
      }
      case Verdict.RejectThese(BitSet rejected, String field, String reason, Verdict rest) -> {
        BitSet out = ours(rejected, sent);
        out.and(about);
        BitSet others = (BitSet) about.clone();
        others.andNot(out);
        boolean isProgress = !out.isEmpty();
        boolean isUnsent = rest instanceof Verdict.Retry(_, String detail) && detail.isEmpty();
        setAside(out, field, reason);
        if (others.isEmpty()) {
          means.traffic().succeeded();
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

  private void deliver(BitSet kept, Counts acknowledged, String place) throws InterruptedException {
    settle(kept, Outcome.DELIVERED, acknowledged, place);
  }

  private void succeeded() {
    tookSome = true;
    failures = 0;
    means.traffic().succeeded();
  }

  private boolean settle(BitSet which, Outcome outcome, Counts acknowledged, String place)
      throws InterruptedException {
    if (!which.isEmpty()) {
      Receipt receipt = receipt(sequences(which), outcome, means.clock().millis(), place);
      while (!book(means, receipt)) {
        if (!means.traffic().pause(++failures, false)) {
          return false;
        }
      }
    }
    if (outcome == Outcome.DELIVERED) {
      // Before anybody can see that nothing waits any more: a fault would be of nothing then.
      succeeded();
    }
    means.account().settle(shipment, which, outcome, acknowledged);
    means.meter().delivered(acknowledged);
    return true;
  }

  /** A receipt whose place is not too long. */
  static Receipt receipt(Sequences sequences, Outcome outcome, long atMillis, String place) {
    boolean isLong = place.length() > PLACE_CHARS_MAX;
    String known = isLong ? place.substring(0, PLACE_CHARS_MAX) : place;
    return new Receipt(sequences, outcome, atMillis, known);
  }

  /** False, and a fault, when it cannot be written now: what it is of is not settled yet. */
  static boolean book(Means means, Receipt receipt) {
    try {
      means.cursor().book(receipt);
      return true;
    } catch (IOException cannot) {
      means.traffic().failed("the receipt cannot be written: " + cannot.getMessage());
      return false;
    }
  }

  private Sequences sequences(BitSet which) {
    Sequences sequences = new Sequences();
    for (int i = which.nextSetBit(0); i >= 0; i = which.nextSetBit(i + 1)) {
      sequences.add(batch.sequence(i));
    }
    return sequences;
  }

  private void pause(Cause cause, String detail) throws InterruptedException {
    means.meter().retried(cause);
    means.traffic().failed(detail.isEmpty() ? cause.name() : detail);
    // Whoever has to give up learns so before the next part.
    means.traffic().pause(++failures, cause == Cause.THROTTLED);
  }

  private void setAside(BitSet out, String field, String reason) throws InterruptedException {
    BitSet left = (BitSet) out.clone();
    while (!left.isEmpty()) {
      BitSet before = (BitSet) left.clone();
      if (means.aside().put(batch, left, field, reason)) {
        before.andNot(left);
        if (!settle(before, Outcome.QUARANTINED, new Counts(), reason)) {
          return;
        }
        means.meter().quarantined(batch, before);
      } else {
        means.traffic().failed("the log has no room for what is refused: " + reason);
        if (!means.traffic().pause(++failures, false)) {
          return;
        }
      }
    }
  }

  private void refused(BitSet part, String reason) {
    // The last time its halves are sent again: it may have been the destination before, and is
    // one of the records now.
    boolean isWhole = refusals > 0 && refusals < REFUSALS_MAX;
    if (part.cardinality() == 1 || isWhole) {
      for (int i = part.nextSetBit(0); i >= 0; i = part.nextSetBit(i + 1)) {
        suspects.put(i, reason);
      }
      return;
    }
    BitSet first = new BitSet();
    BitSet second = new BitSet();
    int half = part.cardinality() / 2;
    for (int i = part.nextSetBit(0); i >= 0; i = part.nextSetBit(i + 1)) {
      (first.cardinality() < half ? first : second).set(i);
    }
    parts.push(second);
    parts.push(first);
  }

  /**
   * What of each suspect: at fault if others were taken. If none was, it may be the destination,
   * and all are tried again together, a few times.
   *
   * @return whether there is more to do
   */
  private boolean judge() throws InterruptedException {
    BitSet all = new BitSet();
    suspects.keySet().forEach(all::set);
    String reason = suspects.values().iterator().next();
    if (!tookSome && refusals < REFUSALS_MAX) {
      refusals++;
      suspects.clear();
      parts.push(all);
      pause(Cause.FAILED, reason);
      return true;
    }
    for (Map.Entry<Integer, String> suspect : suspects.entrySet()) {
      BitSet one = new BitSet();
      one.set(suspect.getKey());
      setAside(one, "", suspect.getValue());
    }
    suspects.clear();
    // It has answered for each of them: there is nothing left to try again.
    means.traffic().succeeded();
    return false;
  }

  /** The verdict's indexes are those of what was sent: which of ours are they? */
  private static BitSet ours(BitSet indexes, BitSet sent) {
    BitSet ours = new BitSet();
    int index = 0;
    for (int i = sent.nextSetBit(0); i >= 0; i = sent.nextSetBit(i + 1)) {
      ours.set(i, indexes.get(index++));
    }
    return ours;
  }
}
