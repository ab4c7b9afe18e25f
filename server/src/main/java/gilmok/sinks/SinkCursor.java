package gilmok.sinks;

import gilmok.log.Cursor;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a sink's account: its cursor in the log, with the account's note, and its receipts.
 * Thread-safe. Locks, in this order: {@code saving} (to write the cursor), that of the {@link
 * SinkState}, {@code booking} (to write receipts).
 */
final class SinkCursor implements Cursor.OnFull {
  static final String PREFIX = "ship.";

  private static final Logger LOGGER = System.getLogger("gilmok.sinks");
  private static final Stream[] STREAMS = Stream.values();

  private final ReentrantLock saving = new ReentrantLock();
  private final ReentrantLock booking = new ReentrantLock();
  private final String sink;
  private final Log log;
  private final SinkState account;
  private final ReceiptBook book;
  private final InstantSource clock;
  private @Nullable Cursor cursor;
  private byte[] savedNote = {};

  SinkCursor(String sink, Log log, SinkState account, ReceiptBook book, InstantSource clock) {
    this.sink = sink;
    this.log = log;
    this.account = account;
    this.book = book;
    this.clock = clock;
  }

  /**
   * Opens the account at the cursor, or begins it.
   *
   * @param config null for a sink that the settings do not name: its account goes on as it was
   */
  void open(@Nullable SinkConfig config) throws IOException, InterruptedException {
    saving.lock();
    try {
      Cursor found = log.cursor(PREFIX + sink, this);
      SinkCheckpoint opened =
          found.note().length > 0 ? SinkCheckpoint.of(found) : begin(found, config);
      new LostRecords(sink, log).settle(opened, found.lost());
      if (config != null) {
        take(opened, config.streams());
      }
      account.install(opened);
      cursor = found;
      if (config != null) {
        save();
      }
    } finally {
      saving.unlock();
    }
  }

  private SinkCheckpoint begin(Cursor found, @Nullable SinkConfig config) {
    // A cursor whose file was damaged is not new: nothing may be left out.
    boolean fromNow = config != null && config.from() == SinkConfig.From.NOW && !found.isRebuilt();
    long first = fromNow ? log.durable() + 1 : log.oldestSequence();
    if (fromNow && first > log.oldestSequence()) {
      LOGGER.log(
          Level.WARNING,
          "sink {0} has no cursor and starts at sequence {1} (from=now): it sends none of the {2}"
              + " older records in the log, and the ledger does not count them. If its cursor was"
              + " lost, \"gilmok sink rewind\" sends them",
          sink,
          String.valueOf(first),
          String.valueOf(first - log.oldestSequence()));
    }
    return new SinkCheckpoint(Math.max(found.sequence(), first - 1));
  }

  /**
   * Begins the accounts of streams that the sink did not take before, after all that was passed.
   */
  private void take(SinkCheckpoint opened, Set<Stream> streams) throws IOException {
    opened.keepOnly(streams);
    long first = opened.nextBegin();
    StreamCounts before = null;
    for (Stream stream : streams) {
      if (!opened.takes(stream)) {
        before = before == null ? log.acceptedThrough(first - 1) : before;
        opened.begin(stream, first, before.of(stream));
      }
    }
  }

  /**
   * Makes the settled records durable, their receipts first, if something has changed. A paused
   * sink keeps room for the next save, also when there was none at the last.
   */
  void save() throws IOException, InterruptedException {
    saving.lock();
    try {
      byte[] note;
      long through;
      long end;
      try (var _ = account.hold()) {
        note = account.progress().encode();
        through = account.progress().low();
        end = account.progress().nextBegin() - 1;
      }
      Cursor file = opened();
      if (through != file.sequence() || !Arrays.equals(note, savedNote)) {
        DurableEnd.await(log, end);
        force();
        file.advance(through, note);
        savedNote = note;
      }
      file.keepRoom(account.standing().isPaused());
    } finally {
      saving.unlock();
    }
  }

  /**
   * Pauses or resumes, durably; if that fails, the sink is as it was. Resuming a detached sink
   * acknowledges that it was detached.
   */
  void pause(boolean paused) throws IOException, InterruptedException {
    saving.lock();
    try {
      Flags before = flag(was -> new Flags(paused, was.isDetached && paused));
      try {
        save();
      } catch (IOException | InterruptedException | RuntimeException | Error failed) {
        Flags _ = flag(_ -> before);
        throw failed;
      }
    } finally {
      saving.unlock();
    }
  }

  private record Flags(boolean isPaused, boolean isDetached) {}

  private Flags flag(UnaryOperator<Flags> change) {
    try (var _ = account.hold()) {
      SinkCheckpoint progress = account.progress();
      Flags before = new Flags(progress.isPaused, progress.isDetached);
      Flags now = change.apply(before);
      progress.isPaused = now.isPaused;
      progress.isDetached = now.isDetached;
      account.moved();
      return before;
    }
  }

  /** Marks a quarantined record to be replayed; durable with the next save. */
  ReplayResult replay(long sequence, Stream stream) {
    try (var _ = account.hold()) {
      SinkCheckpoint now = account.progress();
      if (!now.isSettled(sequence)
          || sequence < now.counts.since().of(stream)
          || now.counts.quarantined().of(stream) == 0) {
        return ReplayResult.NOT_SET_ASIDE;
      }
      if (now.replays.size() >= SinkCheckpoint.REPLAYS_MAX) {
        return ReplayResult.FULL;
      }
      now.replay(sequence, stream);
      account.moved();
      return ReplayResult.TAKEN;
    }
  }

  /** Begins a new account at a sequence, durably. Call it only with nothing in flight or held. */
  void rewind(long next) throws IOException, InterruptedException {
    saving.lock();
    try {
      SinkCheckpoint begun = new SinkCheckpoint(next - 1);
      StreamCounts before = log.acceptedThrough(next - 1);
      try (var _ = account.hold()) {
        begun.isPaused = account.progress().isPaused;
        begun.pendingDeadLetters.restore(account.progress().pendingDeadLetters.all());
        for (Stream stream : STREAMS) {
          if (account.progress().takes(stream)) {
            begun.begin(stream, next, before.of(stream));
          }
        }
      }
      byte[] note = begun.encode();
      force();
      Cursor file = opened();
      if (next - 1 < file.sequence()) {
        file.rewind(next - 1, note);
      } else {
        file.advance(next - 1, note);
      }
      savedNote = note;
      account.install(begun);
      file.keepRoom(account.standing().isPaused());
    } finally {
      saving.unlock();
    }
  }

  /**
   * The log is full: skips and counts the records at or below that sequence that are not in flight.
   * Records in flight go on and are counted when they arrive.
   */
  @Override
  public boolean letGo(long through) throws IOException, InterruptedException {
    saving.lock();
    account.lock.lock();
    try {
      Cursor file = cursor;
      if (file == null) {
        return false;
      }
      if (file.sequence() < through) {
        SinkCheckpoint next = account.progress().copy();
        long low = next.low();
        Ranges kept = kept();
        // A range is counted as a whole, so it is never divided: the mark moves to its end.
        long end = Math.max(low, kept.end(through));
        long missed = end == low ? 0 : skip(next, end, kept);
        if (missed > 0) {
          // Read while the log has them, and written before the mark passes them.
          bookSkipped(skipped(low, end, kept));
        }
        // If the process ends now, nothing more is known of the records in flight, so their
        // receipts say skipped. A record that arrives gets a newer receipt.
        account.onTheirWay(low, end).forEach(this::bookSkipped);
        byte[] note = next.encode();
        DurableEnd.await(log, next.nextBegin() - 1);
        forceOrWarn();
        file.advance(next.low(), note);
        savedNote = note;
        account.held().letGo(end);
        account.install(next);
        if (missed > 0) {
          LOGGER.log(
              Level.WARNING,
              "sink {0} is detached from the full log: it skips {1} records up to sequence {2} for"
                  + " good. Repair the destination, or raise log.bytes-max",
              sink,
              String.valueOf(missed),
              String.valueOf(end));
        }
      }
      return true;
    } finally {
      account.lock.unlock();
      saving.unlock();
    }
  }

  /** The ranges that must not be skipped: settled already, held, or in flight. */
  private Ranges kept() {
    Ranges kept = account.progress().ranges.copy();
    for (Ranges.Range range : account.held().ranges().all()) {
      kept.add(range.from(), range.to(), range.counts());
    }
    for (Ranges.Range range : onTheirWay().all()) {
      kept.add(range.from(), range.to(), range.counts());
    }
    return kept;
  }

  private Ranges onTheirWay() {
    Ranges ranges = new Ranges();
    for (InFlightBatch inFlightBatch : account.inFlight()) {
      BitSet open = inFlightBatch.isReplay() ? new BitSet() : inFlightBatch.open();
      for (int i = open.nextSetBit(0); i >= 0; i = open.nextSetBit(i + 1)) {
        long sequence = inFlightBatch.batch().sequence(i);
        if (sequence > account.progress().low()) {
          StreamCounts one = new StreamCounts();
          one.add(inFlightBatch.batch().stream(i));
          ranges.add(sequence, sequence, one);
        }
      }
    }
    return ranges;
  }

  private long skip(SinkCheckpoint next, long end, Ranges kept) throws IOException {
    StreamCounts missed = counted(next, end);
    missed.subtract(counted(next, next.low()));
    missed.subtract(kept.through(end));
    StreamCounts waiting = onTheirWay().through(end);
    waiting.add(account.held().ranges().through(end));
    next.letGo(end, missed, waiting);
    return missed.total();
  }

  /** The records up to a sequence that the account covers, or that came before it. */
  private StreamCounts counted(SinkCheckpoint next, long through) throws IOException {
    StreamCounts all = log.acceptedThrough(through);
    StreamCounts counted = new StreamCounts();
    for (Stream stream : STREAMS) {
      if (next.takes(stream)) {
        boolean isBefore = through < next.counts.since().of(stream);
        counted.add(stream, isBefore ? next.counts.before().of(stream) : all.of(stream));
      }
    }
    return counted;
  }

  /**
   * The skipped sequences of the sink's streams. Reads the log only if the sink takes not all
   * streams.
   */
  private Sequences skipped(long low, long end, Ranges kept) throws IOException {
    Sequences gaps = new Sequences();
    long from = low + 1;
    for (Ranges.Range range : kept.all()) {
      if (range.from() > end) {
        break;
      }
      if (from < range.from()) {
        gaps.add(from, range.from() - 1);
      }
      from = range.to() + 1;
    }
    if (from <= end) {
      gaps.add(from, end);
    }
    long[] first = account.firstTaken();
    if (Arrays.stream(STREAMS).allMatch(stream -> first[stream.code()] <= low + 1)) {
      return gaps;
    }
    Sequences skipped = new Sequences();
    try (LogReader reader = log.reader(low + 1)) {
      while (reader.nextEntry() && reader.sequence() <= end) {
        if (reader.sequence() >= first[reader.stream().code()]
            && gaps.contains(reader.sequence())) {
          skipped.add(reader.sequence());
        }
      }
    }
    return skipped;
  }

  /** Writes receipts for skipped records. They are counted as skipped even if this fails. */
  void bookSkipped(Sequences skipped) {
    try {
      book(new Receipt(skipped, Receipt.Outcome.SKIPPED, clock.millis(), ""));
    } catch (IOException cannot) {
      LOGGER.log(
          Level.WARNING,
          "sink {0} has no receipt of records that it skipped; the ledger counts them: {1}",
          sink,
          cannot.getMessage());
    }
  }

  /** Writes a receipt. */
  void book(Receipt receipt) throws IOException {
    booking.lock();
    try {
      book.write(receipt);
    } finally {
      booking.unlock();
    }
  }

  private void force() throws IOException {
    booking.lock();
    try {
      book.force();
    } finally {
      booking.unlock();
    }
  }

  private void forceOrWarn() {
    try {
      force();
    } catch (IOException cannot) {
      LOGGER.log(
          Level.WARNING,
          "sink {0} could not force its receipts; a power loss may take the newest, no record: {1}",
          sink,
          cannot.getMessage());
    }
  }

  private Cursor opened() {
    return Objects.requireNonNull(cursor, "the account is not open");
  }
}
