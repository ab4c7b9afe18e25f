package gilmok.ledger;

import gilmok.event.JsonBuffer;
import gilmok.event.QuarantinedView;
import gilmok.log.DamagedLogException;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import gilmok.sinks.Receipt;
import gilmok.sinks.Receipts;
import gilmok.sinks.Shipper;
import gilmok.sinks.Sinks;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Replays the whole quarantine, or the records that a filter selects: records that collecting
 * quarantined are collected again, records that a sink refused are sent to it again. It reads the
 * log from its oldest record to the last one at the job's start, hands over a bounded number at a
 * time, and waits for their results.
 *
 * <p>The job is not kept over a restart. A new job skips records that were settled meanwhile.
 *
 * <p>One thread runs it; any thread may read the progress.
 */
final class QuarantineReplay implements Runnable {
  /** The most records that may be under way at once. */
  static final int PENDING_MAX = 500;

  private static final Logger LOGGER = System.getLogger("gilmok.ledger");
  private static final int STRETCH_RECORDS = 10_000;
  private static final long LOOK_MILLIS = 20;

  /** The job ends after this long without progress: the sink is down, or the log is full. */
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final String id;
  private final ReplayFilter filter;
  private final Log log;
  private final Sinks sinks;
  private final Map<String, Receipts> receipts;
  private final Recollector recollector;
  private final List<Pending> pending = new ArrayList<>();
  private final long end;
  private long found;
  private long replayed;
  private long settledBefore;
  private long failed;
  private long receiptsMissing;
  private long position;
  private long progressAtNanos = System.nanoTime();
  private long unreadable;
  private boolean isDone;
  private @Nullable String error;

  /** A record that a sink is sending again. */
  private record Pending(Shipper shipper, Receipts book, long sequence) {}

  /** A quarantined record, as it was read. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Found(
      long atMillis,
      String stream,
      @Nullable String sink,
      String origin,
      boolean isCut,
      byte[] raw) {
    Found(long atMillis, QuarantinedView aside) {
      this(
          atMillis,
          aside.stream(),
          aside.sink(),
          Objects.requireNonNullElse(aside.origin(), ""),
          aside.isCut(),
          aside.raw());
    }
  }

  /** Ends the job, with a reason for the operator. */
  private static final class Stuck extends Exception {
    private static final long serialVersionUID = 1;

    Stuck(String why) {
      super(why);
    }
  }

  QuarantineReplay(
      String id,
      ReplayFilter filter,
      Log log,
      Sinks sinks,
      Map<String, Receipts> receipts,
      Recollector recollector) {
    this.id = id;
    this.filter = filter;
    this.log = log;
    this.sinks = sinks;
    this.receipts = receipts;
    this.recollector = recollector;
    end = log.durable();
  }

  String id() {
    return id;
  }

  synchronized boolean isDone() {
    return isDone;
  }

  /** Writes the job's progress as JSON. */
  synchronized void write(JsonBuffer out) {
    out.ascii("{\"id\":").string(id);
    out.ascii(",\"done\":").ascii(isDone ? "true" : "false");
    out.ascii(",\"found\":").number(found);
    out.ascii(",\"replayed\":").number(replayed);
    out.ascii(",\"failed\":").number(failed);
    out.ascii(",\"receiptsMissing\":").number(receiptsMissing);
    out.ascii(",\"settledBefore\":").number(settledBefore);
    out.ascii(",\"pending\":").number((long) pending.size());
    out.ascii(",\"sequence\":").number(position).ascii(",\"last\":").number(end);
    if (unreadable > 0) {
      out.ascii(",\"unreadable\":").number(unreadable);
    }
    if (error != null) {
      out.ascii(",\"error\":").string(error);
    }
    out.put('}');
  }

  @Override
  public void run() {
    String why = null;
    try {
      replay();
    } catch (Stuck stuck) {
      why = stuck.getMessage();
    } catch (InterruptedException stopping) {
      why = "the server stops";
    } catch (IOException | RuntimeException | Error failure) {
      why = "the server's log says more: " + failure.getClass().getSimpleName();
      LOGGER.log(
          Level.ERROR,
          "a replay of the quarantine failed; what it had not come to is still in"
              + " quarantine. Run it again",
          failure);
    } finally {
      end(why);
    }
  }

  private synchronized void end(@Nullable String why) {
    error = why;
    isDone = true;
  }

  private void replay() throws IOException, InterruptedException, Stuck {
    long next = log.firstOf(Stream.QUARANTINE, Math.max(1, log.oldestSequence()));
    while (next <= end) {
      List<Found> some = new ArrayList<>();
      next = read(next, some);
      for (Found one : some) {
        tryAgain(one);
        awaitPending(PENDING_MAX - 1);
      }
      at(next - 1);
      next = next <= end ? log.firstOf(Stream.QUARANTINE, next) : next;
    }
    at(end);
    awaitPending(0);
  }

  private synchronized void at(long sequence) {
    position = sequence;
    progressAtNanos = System.nanoTime();
  }

  /**
   * Reads a part of the log and adds the records that match to {@code some}; returns where the next
   * part begins.
   */
  private long read(long from, List<Found> some) throws IOException {
    QuarantinedView view = new QuarantinedView();
    long next = from;
    try (LogReader reader = log.reader(from)) {
      for (int i = 0; i < STRETCH_RECORDS && next <= end && some.size() < PENDING_MAX; i++) {
        if (!reader.next() || reader.sequence() > end) {
          return end + 1;
        }
        next = reader.sequence() + 1;
        if (reader.stream() == Stream.QUARANTINE) {
          view.wrap(reader.bytes(), reader.offset(), reader.length());
          if (filter.fits(view, reader.receivedAtMillis())) {
            some.add(new Found(reader.receivedAtMillis(), view));
          }
        }
      }
    } catch (DamagedLogException damaged) {
      long behind = Math.min(log.nextSegment(next), end + 1);
      LOGGER.log(
          Level.WARNING,
          "a replay of the quarantine skips damage in the log and continues after it: "
              + damaged.getMessage());
      passedOver(behind - next);
      return behind;
    }
    return next;
  }

  private synchronized void passedOver(long sequences) {
    unreadable += sequences;
  }

  private void tryAgain(Found one) throws IOException, InterruptedException, Stuck {
    synchronized (this) {
      found++;
    }
    if (one.sink == null) {
      collect(one);
    } else {
      try {
        send(one.sink, RecordId.of(one.origin));
      } catch (DamagedLogException damaged) { // the record itself is damaged
        settled(0, 0, 1);
      }
    }
  }

  private void collect(Found one) throws InterruptedException, Stuck {
    Stream stream = Stream.of(one.stream);
    if (stream == null || one.isCut) {
      settled(0, 0, 1);
      return;
    }
    while (true) {
      switch (recollector.collect(stream, one.raw, one.atMillis)) {
        case Recollector.Stored _ -> settled(1, 0, 0);
        case Recollector.Repeated _ -> settled(0, 1, 0);
        case Recollector.Unusable _ -> settled(0, 0, 1);
        case Recollector.NotTaken _ -> {
          pause("the log takes nothing");
          continue;
        }
      }
      return;
    }
  }

  private void send(String sink, @Nullable RecordId record)
      throws IOException, InterruptedException, Stuck {
    Shipper shipper = sinks.shipper(sink);
    Receipts book = receipts.get(sink);
    if (shipper == null
        || book == null
        || record == null
        || !record.node().equals(log.node())
        || record.sequence() < log.oldestSequence()) {
      settled(0, 0, 1);
      return;
    }
    Receipt newest = book.find(record.sequence());
    if (newest == null) {
      receiptIsMissing();
      return;
    }
    if (newest.outcome() != Receipt.Outcome.QUARANTINED) {
      settled(0, 1, 0);
      return;
    }
    while (true) {
      switch (shipper.replaySoon(record.sequence())) {
        case TAKEN -> took(new Pending(shipper, book, record.sequence()));
        case NOT_SET_ASIDE -> settled(0, 1, 0);
        case FULL -> {
          look();
          pause(sink + " has too many to send once more");
          continue;
        }
      }
      return;
    }
  }

  private synchronized void took(Pending one) {
    pending.add(one);
    progressAtNanos = System.nanoTime();
  }

  private synchronized void settled(int again, int before, int vainly) {
    replayed += again;
    settledBefore += before;
    failed += vainly;
    progressAtNanos = System.nanoTime();
  }

  /**
   * The receipt was trimmed or is damaged: whether the record was settled is unknown, so it is
   * counted apart.
   */
  private synchronized void receiptIsMissing() {
    receiptsMissing++;
    settled(0, 0, 1);
  }

  private void awaitPending(int atMost) throws IOException, InterruptedException, Stuck {
    look();
    while (pending() > atMost) {
      pause("what was sent once more is not settled");
      look();
    }
  }

  private synchronized int pending() {
    return pending.size();
  }

  /** Checks what became of the records that are under way. */
  private void look() throws IOException {
    List<Pending> ended = new ArrayList<>();
    synchronized (this) {
      pending.removeIf(one -> !one.shipper.isReplaying(one.sequence) && ended.add(one));
    }
    for (Pending one : ended) {
      Receipt newest = one.book.find(one.sequence);
      boolean isThere = newest != null && newest.outcome() == Receipt.Outcome.DELIVERED;
      settled(isThere ? 1 : 0, 0, isThere ? 0 : 1);
    }
  }

  private void pause(String why) throws InterruptedException, Stuck {
    long since;
    synchronized (this) {
      since = progressAtNanos;
    }
    if (System.nanoTime() - since > PATIENCE_NANOS) {
      throw new Stuck(why + ", for a minute; ask again later");
    }
    TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
  }
}
