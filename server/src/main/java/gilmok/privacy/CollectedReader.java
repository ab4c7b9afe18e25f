package gilmok.privacy;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.log.Cursor;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import gilmok.observe.Counter;
import gilmok.observe.Meters;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Counts in the register what was collected: by rider, day of arrival, stream, purposes that
 * counted, and sinks that take it. Counts are gathered in memory as records are committed ({@link
 * CollectedTable}), and written in rounds: each part of the riders in turn, with the sequence
 * through which it counts ({@link CollectedWriter}). Between two steps it rests, so that writing
 * takes a bounded share of a processor however many riders there are; a round then lasts longer.
 * What was counted and not written when a process ends is read from the log again.
 *
 * <p>Thread-safe: the log's writer thread counts; its own loop reads and writes; who asks for the
 * register writes, too.
 */
public final class CollectedReader implements BackgroundLoop.Work, Register.Source, Drainable {
  private static final Logger LOGGER = System.getLogger("gilmok.privacy");

  /** The name of its cursor. */
  static final String CURSOR = "register";

  /** Counts are gathered for so long: each write is one for each rider. */
  private static final Duration GATHER = Duration.ofMinutes(5);

  private static final Duration GATHER_MIN = Duration.ofMillis(200);

  /** How many times as long as a step of writing it rests: it takes 2 % of a processor. */
  private static final long RESTS = 49;

  /** Parts are written together until they have so many rows. */
  private static final int STEP_ROWS = 500;

  /** How long it sleeps at most while something is to be written: the log may run short of room. */
  private static final long LOOK_NANOS = 1_000_000_000L;

  /** Most records that one pass reads. */
  private static final int READ_RECORDS = 1 << 12;

  /** How long who asks for the register waits for counting and for writing. */
  private static final Duration ASKED_MAX = Duration.ofSeconds(2);

  /** So many records without a place may pass until it is written that there were none. */
  private static final long UNMARKED_MAX = 1 << 20;

  /** Notes of the cursor: whether all up to it is written, or it was moved as the log was full. */
  private static final byte[] WRITTEN = {};

  private static final byte[] UNWRITTEN = {1};

  private static final long AWAIT_NANOS = 1_000_000L;

  /** Counts may take an eighth of the heap. */
  private static final long HEAP_SHARE = 8;

  private static final int COUNT_BYTES = 64;
  private static final int COUNTS_MIN = 100_000;
  private static final int COUNTS_MAX = 1 << 24;

  private final Log log;
  private final long gatherNanos;
  private final CollectedTable table;
  private final CollectedWriter writer;
  private final Counter skipped;
  private final Cursor cursor;
  private final BackgroundLoop loop;

  /** Held by who writes. */
  private final ReentrantLock writing = new ReentrantLock();

  private @Nullable LogReader reader;

  /** Whether it is known what is written. Guarded by {@link #writing}, and so is what follows. */
  private boolean hasBegun;

  /** The next part of a round to be written. */
  private int next;

  private long roundNanos = System.nanoTime();
  private long restsUntilNanos;

  /** What was given up by this process. */
  private volatile long skippedThrough;

  /**
   * How long and how much is gathered.
   *
   * @param gather from round to round, at least
   * @param countsMax with so many counts it writes at once, and then reads what it had no room for
   */
  record Bounds(Duration gather, int countsMax) {
    /** As much as the heap has room for, and no longer than the log keeps a record anyway. */
    static Bounds usual(Duration logRetention) {
      long millis = logRetention.isZero() ? GATHER.toMillis() : logRetention.toMillis();
      millis = Math.clamp(millis, GATHER_MIN.toMillis(), GATHER.toMillis());
      return new Bounds(Duration.ofMillis(millis), countsOfHeap());
    }
  }

  /**
   * Counts the records of that log.
   *
   * @param sinks the names of those that take a stream
   * @param logRetention how long the log keeps a record at least; zero: for ever
   */
  CollectedReader(
      Register register,
      ConsentView consents,
      Function<Stream, List<String>> sinks,
      Log log,
      ZoneId zone,
      Duration logRetention,
      Meters meters,
      BackgroundLoops loops)
      throws IOException, InterruptedException {
    this(
        register,
        consents,
        new CollectedKinds(sinks, zone),
        log,
        meters,
        loops,
        Bounds.usual(logRetention));
  }

  CollectedReader(
      Register register,
      ConsentView consents,
      CollectedKinds kinds,
      Log log,
      Meters meters,
      BackgroundLoops loops,
      Bounds bounds)
      throws IOException, InterruptedException {
    this.log = log;
    gatherNanos = bounds.gather.toNanos();
    table = new CollectedTable(consents, kinds, bounds.countsMax);
    writer = new CollectedWriter(register, kinds, log.node().toString());
    skipped =
        meters.counter(
            "gilmok_register_skipped_records_total",
            "Records of the log that were given up before the register had counted them, as the log"
                + " was full.");
    meters.gauge(
        "gilmok_register_lag_records",
        "Records of the log that the register has not counted yet.",
        () -> Math.max(0, log.durable() - table.counted()));
    meters.gauge(
        "gilmok_register_counts",
        "Counts of what was collected that are not written yet, one for each rider.",
        table::size,
        table::sizeMax);
    loop = loops.optional(name(), "what was collected is not in the register", this);
    cursor = log.cursor(CURSOR);
  }

  private static int countsOfHeap() {
    long most = Runtime.getRuntime().maxMemory() / HEAP_SHARE / COUNT_BYTES;
    return Math.clamp(most, COUNTS_MIN, COUNTS_MAX);
  }

  /** Starts to count. */
  public void start() throws IOException, InterruptedException {
    log.onCommit(table);
    var _ = log.cursor(CURSOR, this::letGo);
    loop.start();
  }

  /** Removes the cursor of a server that keeps no register. */
  static void leftOff(Log log) throws IOException, InterruptedException {
    boolean _ = log.forget(CURSOR);
  }

  @Override
  public long pass() throws IOException, InterruptedException {
    writing.lock();
    try {
      Throwable spoilt = table.spoilt();
      if (spoilt != null) {
        LOGGER.log(Level.ERROR, "a bug in counting what is collected; it is counted anew", spoilt);
      }
      if (!hasBegun || spoilt != null) {
        begin();
      }
      if (!table.isLive() && !table.isFull()) {
        readOn();
      }
      long rest = writeDue();
      return table.isLive() ? rest : 0;
    } finally {
      writing.unlock();
    }
  }

  /** Goes back to what is written: the log keeps what is to be read again. */
  private void begin() throws IOException, InterruptedException {
    hasBegun = false;
    close();
    writer.begin();
    long written = writer.lowest();
    long oldest = log.oldestSequence() - 1;
    if (written < oldest && Arrays.equals(cursor.note(), UNWRITTEN)) {
      skipped.add(oldest - Math.max(written, skippedThrough));
    }
    goBack(Math.min(Math.max(written, oldest), log.durable()));
    next = 0;
    hasBegun = true;
  }

  private synchronized void goBack(long through) throws IOException, InterruptedException {
    if (through < cursor.sequence()) {
      cursor.rewind(through, cursor.note());
    }
    table.begin(through);
  }

  private void readOn() throws IOException {
    LogReader records = reader == null ? log.reader(table.counted() + 1) : reader;
    reader = records;
    boolean isGood = false;
    try {
      long durable = log.durable(); // before the last look
      boolean isEnd = false;
      for (int i = 0; i < READ_RECORDS && !isEnd; i++) {
        isEnd = !records.next();
        if (!isEnd) {
          read(records);
        }
      }
      if (isEnd) {
        table.passed(Math.max(durable, records.passed()));
      }
      isGood = !isEnd || !table.goLive(log::durable);
    } finally {
      if (!isGood) { // done; or after a failure, when its place is unknown
        close();
      }
    }
  }

  private void read(LogReader record) {
    try {
      table.read(record, writer::mark);
    } catch (RuntimeException damaged) {
      loop.skipped("record " + log.node() + ":" + record.sequence(), damaged);
    }
  }

  private void close() throws IOException {
    LogReader open = reader;
    reader = null;
    if (open != null) {
      open.close();
    }
  }

  /** Writes what is due; returns how long nothing is. */
  private long writeDue() throws IOException, InterruptedException {
    writer.writeUnsure();
    long now = System.nanoTime();
    boolean isHurried = table.isFull() || log.isShortOfRoom();
    if (next == 0) {
      if (!isHurried && now - roundNanos < gatherNanos) {
        return Math.min(LOOK_NANOS, gatherNanos - (now - roundNanos));
      }
      roundNanos = now;
      if (table.size() == 0 && table.counted() - writer.lowest() < UNMARKED_MAX) {
        advance(table.counted());
        return gatherNanos;
      }
    } else if (!isHurried && now < restsUntilNanos) {
      return Math.min(LOOK_NANOS, restsUntilNanos - now);
    }
    CollectedTable.Taken step = table.take(next, CollectedTable.PARTS, STEP_ROWS);
    writer.write(step);
    next = (next + step.parts().size()) % CollectedTable.PARTS;
    if (next == 0) {
      advance(writer.lowest());
    }
    restsUntilNanos = now + (1 + RESTS) * (System.nanoTime() - now);
    return isHurried ? 0 : Math.min(LOOK_NANOS, restsUntilNanos - now);
  }

  /**
   * Writes what is counted by now, of one rider or of all; what takes too long follows by itself.
   */
  @Override
  public boolean write(@Nullable String riderId) throws IOException, InterruptedException {
    long until = System.nanoTime() + ASKED_MAX.toNanos();
    boolean isCounted = awaitCounted(log.durable(), until);
    if (!writing.tryLock(ASKED_MAX.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new IOException("the register is being written; ask again");
    }
    try {
      if (!hasBegun || table.spoilt() != null) {
        return false;
      }
      writer.writeUnsure();
      int part = riderId == null ? 0 : CollectedTable.partOf(riderId);
      int to = riderId == null ? CollectedTable.PARTS : part + 1;
      while (table.hasAny(part, to) && System.nanoTime() < until) {
        CollectedTable.Taken step = table.take(part, to, STEP_ROWS);
        writer.write(step);
        part += step.parts().size();
      }
      return isCounted && !table.hasAny(part, to);
    } finally {
      writing.unlock();
    }
  }

  private boolean awaitCounted(long sequence, long untilNanos) throws InterruptedException {
    while (table.counted() < sequence && !loop.isStopping() && System.nanoTime() < untilNanos) {
      TimeUnit.NANOSECONDS.sleep(AWAIT_NANOS);
    }
    return table.counted() >= sequence;
  }

  private synchronized void advance(long through) throws IOException, InterruptedException {
    if (through > cursor.sequence()) {
      cursor.advance(through, WRITTEN);
    }
  }

  /** The log is full: what is not counted is given up; what is, is written later. */
  private synchronized boolean letGo(long through) throws IOException, InterruptedException {
    if (through > cursor.sequence()) {
      skipped.add(Math.max(0, through - Math.max(table.counted(), cursor.sequence())));
      cursor.advance(through, UNWRITTEN);
      skippedThrough = through;
    }
    return true;
  }

  @Override
  public String name() {
    return "register-reader";
  }

  @Override
  public void end() throws IOException {
    close();
  }

  @Override
  public void drain(Duration patience) throws InterruptedException {
    loop.stop(patience);
  }
}
