package gilmok.sinks;

import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log and gathers the records that a sink takes into a batch. At most one batch at a
 * time.
 *
 * <p>Not thread-safe: owned by the sink's loop; {@link #oldestMillis} may be called by any thread.
 */
final class Batcher implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger("gilmok.sinks");

  /** The most records that are read before the loop does other work. */
  private static final int LOOK = 4096;

  private final Log log;
  private final SinkState account;
  private final boolean isAwaited;
  private @Nullable LogReader reader;
  private long[] firstTaken = {};
  private Sequences settled = new Sequences();
  private long settledEnd;
  private final Set<Long> skipped = new HashSet<>();
  private long spanFrom;
  private long position;
  private boolean isUnread;
  private @Nullable Batch batch;

  /** The batch that the sink was asked to prepare. */
  private @Nullable Batch prepared;

  private long beganNanos;
  private int sizeBefore = 64;
  private long bytesBefore = 8192;
  private volatile long oldestMillis = Long.MAX_VALUE;

  /** The result of gathering. */
  enum State {
    /** The batch is ready to be sent. */
    RIPE,
    /** There is more to read. */
    MORE,
    /** Everything durable has been read. */
    END
  }

  /**
   * @param isAwaited whether somebody waits for what is sent: records are read before they are
   *     forced, and a batch is ripe when nothing more is to be read
   */
  Batcher(Log log, SinkState account, boolean isAwaited) {
    this.log = log;
    this.account = account;
    this.isAwaited = isAwaited;
  }

  private LogReader open(long from) {
    return isAwaited ? log.early().reader(from) : log.reader(from);
  }

  /** Drops the gathered records and reads on from the account's low-water mark. */
  void restart() throws IOException {
    close();
    batch = null;
    isUnread = false;
    oldestMillis = Long.MAX_VALUE;
    firstTaken = account.firstTaken();
    settled = account.settledAbove();
    settledEnd = settled.runs() == 0 ? 0 : settled.last(settled.runs() - 1);
    skipped.clear();
    // The two were read one after the other: meanwhile the mark can only have moved over settled
    // ones.
    spanFrom = account.low() + 1;
    position = spanFrom - 1;
    reader = open(spanFrom);
  }

  boolean isOpen() {
    return reader != null;
  }

  /** Opens a new reader after reading has failed. */
  void reopen() throws IOException {
    close();
    reader = open(isUnread ? position : position + 1);
    // The reader's present record is not in the batch yet, so it is read again.
    position -= isUnread ? 1 : 0;
    isUnread = false;
  }

  /**
   * Whether the low-water mark has passed the reader: the full log made the sink give up records.
   */
  boolean isOvertaken() {
    return account.low() > position;
  }

  /** Reads on. */
  State gather(Tuning tuning) throws IOException {
    LogReader source = reader;
    if (source == null) {
      throw new IllegalStateException("nothing to read from");
    }
    for (int i = 0; i < LOOK; i++) {
      if (!isUnread) {
        if (!source.nextEntry()) {
          return isRipe(tuning) ? State.RIPE : State.END;
        }
        position = source.sequence();
        if (position < firstTaken[source.stream().code()]
            || (position <= settledEnd && settled.contains(position))) {
          continue;
        }
      }
      isUnread = true;
      if (source.isErased()) {
        if (batch != null) {
          return State.RIPE;
        }
        passErased(source.stream());
        continue;
      }
      if (!skipped.isEmpty() && skipped.contains(position)) {
        if (batch != null) {
          return State.RIPE;
        }
        leaveOut(position);
        continue;
      }
      if (!hasRoom(source, tuning)) {
        return State.RIPE;
      }
      add(source);
      isUnread = false;
    }
    return isRipe(tuning) ? State.RIPE : State.MORE;
  }

  /**
   * Settles what is read so far, with a tombstone at its end: nothing was gathered before it, so no
   * batch in flight covers it.
   */
  private void passErased(Stream stream) {
    StreamCounts one = new StreamCounts();
    one.add(stream);
    account.pass(spanFrom, position, one);
    spanFrom = position + 1;
    isUnread = false;
  }

  /**
   * Ends the span before a record that was sent before its turn; what is around it is settled apart
   * from it.
   */
  private void leaveOut(long sequence) {
    if (sequence > spanFrom) {
      account.pass(spanFrom, sequence - 1, new StreamCounts());
    }
    spanFrom = sequence + 1;
    skipped.remove(sequence);
    isUnread = false;
  }

  /** Leaves out a record that was sent before its turn. */
  void skip(long sequence) {
    skipped.add(sequence);
  }

  /** Drops the records that were gathered and not sent; they are read again. */
  void putBack() throws IOException {
    if (batch == null && !isUnread) {
      return;
    }
    close();
    batch = null;
    isUnread = false;
    oldestMillis = Long.MAX_VALUE;
    position = spanFrom - 1;
    reader = open(spanFrom);
  }

  /**
   * A batch of one record that comes after the gathered ones: the first at or after {@code from},
   * else the first there is. Null when there seems to be none.
   */
  @Nullable Batch one(long from) throws IOException {
    long durable = log.durable();
    Batch found = from > position && from <= durable ? first(from) : null;
    return found == null && durable > position ? first(position + 1) : found;
  }

  /** Everything up to this sequence was gathered or is not the sink's. */
  long position() {
    return position;
  }

  private @Nullable Batch first(long from) throws IOException {
    try (LogReader source = log.reader(from)) {
      for (int i = 0; i < LOOK && source.next(); i++) {
        long sequence = source.sequence();
        if (sequence >= firstTaken[source.stream().code()]
            && !settled.contains(sequence)
            && !skipped.contains(sequence)) {
          return alone(source);
        }
      }
    }
    return null;
  }

  /**
   * A batch of one record; null when the log no longer has it, or it is of none of these streams.
   */
  static @Nullable Batch read(Log log, long sequence, Set<Stream> streams) throws IOException {
    if (sequence < log.oldestSequence() || sequence > log.durable()) {
      return null;
    }
    try (LogReader source = log.reader(sequence)) {
      boolean isThere = source.next() && source.sequence() == sequence;
      return isThere && streams.contains(source.stream()) ? alone(source) : null;
    }
  }

  private static Batch alone(LogReader source) {
    Batch one = new Batch(source.node(), 1, source.length());
    one.add(
        source.stream(),
        source.sequence(),
        source.receivedAtMillis(),
        source.bytes(),
        source.offset(),
        source.length());
    return one;
  }

  private boolean hasRoom(LogReader source, Tuning tuning) {
    Batch present = batch;
    return present == null
        || (present.size() < tuning.batchRecordsMax()
            && present.recordBytes() + source.length() <= tuning.batchBytesMax()
            && present.node().equals(source.node()));
  }

  private void add(LogReader source) {
    Batch present = batch;
    if (present == null) {
      present = new Batch(source.node(), sizeBefore, (int) Math.min(bytesBefore, 1 << 24));
      batch = present;
      beganNanos = System.nanoTime();
      oldestMillis = source.receivedAtMillis();
    }
    present.add(
        source.stream(),
        source.sequence(),
        source.receivedAtMillis(),
        source.bytes(),
        source.offset(),
        source.length());
  }

  private boolean isRipe(Tuning tuning) {
    Batch present = batch;
    return present != null
        && (isAwaited
            || present.size() >= tuning.batchRecordsMax()
            || present.recordBytes() >= tuning.batchBytesMax()
            || System.nanoTime() - beganNanos >= tuning.batchAgeMax().toNanos());
  }

  /**
   * How long until the batch is old enough to be sent, in nanoseconds; {@link Long#MAX_VALUE} when
   * there is none.
   */
  long ripeInNanos(Tuning tuning) {
    return batch == null || isAwaited
        ? Long.MAX_VALUE
        : Math.max(0, beganNanos + tuning.batchAgeMax().toNanos() - System.nanoTime());
  }

  /** Reports a span without records for the sink, if there was one. */
  void pass() {
    if (batch == null && !isUnread && position >= spanFrom) {
      account.pass(spanFrom, position, new StreamCounts());
      spanFrom = position + 1;
    }
  }

  /**
   * Takes the batch and marks it as in flight.
   *
   * @return null when there is no record to send
   */
  @Nullable InFlightBatch depart() {
    Batch present = batch;
    if (present == null) {
      return null;
    }
    batch = null;
    prepared = null;
    oldestMillis = Long.MAX_VALUE;
    sizeBefore = present.size();
    bytesBefore = present.recordBytes();
    long from = spanFrom;
    spanFrom = present.sequence(present.size() - 1) + 1;
    InFlightBatch departing = account.depart(present, from);
    if (departing != null) {
      departing.gathered(new InFlightBatch.Gathered(beganNanos, System.nanoTime()));
    }
    return departing;
  }

  /** Has the batch prepared that is complete and waits for its turn; each batch once. */
  @SuppressWarnings("ReferenceEquality") // which batch it is counts, not what it has
  void prepareNext(Sink sink) {
    Batch next = batch;
    if (next == null || !isUnread || next == prepared) {
      return;
    }
    prepared = next;
    try {
      sink.prepare(next);
    } catch (RuntimeException bug) {
      // It shows again when the batch is sent, and there the record is found that causes it.
      LOGGER.log(Level.DEBUG, "a batch could not be prepared", bug);
    }
  }

  /** Whether no record was read that did not fit into the batch. */
  boolean isAllGathered() {
    return !isUnread;
  }

  /** Whether no record is gathered. */
  boolean isEmpty() {
    return batch == null;
  }

  /**
   * When the oldest gathered record was received, epoch ms; {@link Long#MAX_VALUE} when there is
   * none.
   */
  long oldestMillis() {
    return oldestMillis;
  }

  @Override
  public void close() throws IOException {
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }
}
