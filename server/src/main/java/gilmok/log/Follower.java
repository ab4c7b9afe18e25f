package gilmok.log;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.background.WakeSignal;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log and passes each record to a {@link Taker}, at least once and in order. A cursor
 * keeps how far all is settled; it is saved each second and at the end. What fails because of an
 * outage is retried, with growing pauses; nothing else waits for it.
 *
 * <p>A poison record, which fails each time, is skipped, counted and named, but only once another
 * record was processed right after it failed: that shows that the record is at fault, not the store
 * or the program. However many records fail in a row, the ones behind them that can be processed
 * are. While all of them fail, none is skipped. How: {@link PoisonRecordSearch}.
 *
 * <p>At the log's end it looks once more after a short pause, in which records gather, and then
 * sleeps until the next record is durable.
 *
 * <p>A follower of a {@link #ofRare rare stream} does not read where the log's counts show that
 * there is none of its records; and a full log does not make it give one up.
 *
 * <p>Runs on a background loop of its own; that thread calls the {@link Taker}.
 */
public final class Follower implements BackgroundLoop.Work {
  /** The most records read before the cursor may move. */
  private static final int LOOK_MAX = 1 << 16;

  /** The most records of a rare stream to settle at once. */
  private static final int RARE_MAX = 100;

  /** The pause after records were found, so that many commits do not wake it as often. */
  private static final long GATHER_NANOS = 10_000_000L;

  private static final long RARE_GATHER_NANOS = 50_000_000L;
  private static final long SAVE_NANOS = 1_000_000_000L;
  private static final long LOOK_NANOS = 3_000_000L;

  private final Log log;
  private final Taker taker;
  private final int takenMax;
  private final Cursor cursor;
  private final BackgroundLoop loop;
  private final FollowerCursor position;
  private final PoisonRecordSearch poisonRecordSearch;
  private final WakeSignal more;

  /** The only stream whose records are taken; null to read every record. */
  private final @Nullable Stream rare;

  /** How many records of the rare stream were settled since the log was begun; -1 if unknown. */
  private long rareSettled = -1;

  /** How many records of the rare stream were read and not settled yet. */
  private int rareRead;

  private boolean hasBegun;
  private long savedNanos = System.nanoTime();

  /** Processes the log's records. Called on the follower's thread, but for {@link #skipped}. */
  public interface Taker extends PoisonRecordSearch.Taker {
    /**
     * Where to begin: the records up to the returned sequence are settled, in this taker's own
     * knowledge. Asked once, before the first record, and again after an exception.
     *
     * @param settled what the cursor says, the most that counts
     */
    default long settledThrough(long settled) throws IOException, InterruptedException {
      return settled;
    }

    /**
     * The log was full, so this many records were given up unread. On the log's preallocation
     * thread.
     */
    void skipped(long records);
  }

  /**
   * A follower that is not started yet.
   *
   * @param name of its cursor
   * @param takenMax most records to settle at once
   * @param loops where its loop is watched
   * @param what what does not work while the follower fails, for the operator
   */
  public Follower(
      Log log, String name, int takenMax, Taker taker, BackgroundLoops loops, String what)
      throws IOException, InterruptedException {
    this(log, name, takenMax, taker, loops, what, null);
  }

  /** A follower likewise, of which the taker takes the records of one stream, which are few. */
  public static Follower ofRare(
      Stream stream, Log log, String name, Taker taker, BackgroundLoops loops, String what)
      throws IOException, InterruptedException {
    return new Follower(log, name, RARE_MAX, taker, loops, what, stream);
  }

  private Follower(
      Log log,
      String name,
      int takenMax,
      Taker taker,
      BackgroundLoops loops,
      String what,
      @Nullable Stream rare)
      throws IOException, InterruptedException {
    this.log = log;
    this.rare = rare;
    this.taker = taker;
    this.takenMax = takenMax;
    loop = loops.optional("follow-" + name, what, this);
    cursor = log.cursor(name);
    position = new FollowerCursor(log, loop, cursor.sequence());
    poisonRecordSearch = new PoisonRecordSearch(log, taker, loop, position, cursor);
    cursor.onFull(this::letGo);
    more = new WakeSignal(loop::wake);
    log.onDurable(more);
  }

  /** Begins to read. */
  public void start() {
    loop.start();
  }

  /** How many durable records are not settled yet. From any thread. */
  public long lagRecords() {
    return Math.max(0, log.durable() - position.position());
  }

  /** Every record up to this sequence is settled. From any thread. */
  public long settledThrough() {
    return position.position();
  }

  /**
   * Waits until every record up to a sequence is settled; false if it was not by then. From any
   * thread that may block.
   */
  public boolean awaitSettled(long sequence, Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    while (settledThrough() < sequence) {
      if (System.nanoTime() - until > 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.sleep(LOOK_NANOS);
    }
    return true;
  }

  /** Whether it was asked to stop. From any thread. */
  public boolean isStopping() {
    return loop.isStopping();
  }

  /** Lets the present pass finish and stops; interrupts the pass after {@code patience}. */
  public void stop(Duration patience) throws InterruptedException {
    loop.stop(patience);
  }

  @Override
  public long pass() throws IOException, InterruptedException {
    if (!hasBegun) {
      goBack(taker.settledThrough(position.position()));
      hasBegun = true;
    }
    if (cursor.sequence() > position.position()) {
      poisonRecordSearch.again(cursor.sequence());
      rareSettled = -1;
    }
    // First, so that the settled records are saved even if the rest of the pass fails.
    if (System.nanoTime() - savedNanos >= SAVE_NANOS) {
      savedNanos = System.nanoTime();
      save();
    }
    long before = position.position();
    boolean isEnd =
        poisonRecordSearch.isDue()
            ? poisonRecordSearch.pass(savedNanos + SAVE_NANOS)
            : passOver() || together();
    if (!isEnd) {
      return 0;
    }
    boolean isMoved = position.position() > before;
    return isMoved ? rare == null ? GATHER_NANOS : RARE_GATHER_NANOS : rest();
  }

  /** How long to sleep unless more becomes durable: until the cursor is saved, if it is not. */
  private long rest() {
    more.arm();
    if (log.durable() > position.position()) {
      more.disarm();
      return 0;
    }
    boolean isSaved = position.position() <= cursor.sequence() && loop.failure() == null;
    return isSaved ? Long.MAX_VALUE : Math.max(1, savedNanos + SAVE_NANOS - System.nanoTime());
  }

  /**
   * Begins at an earlier record than the cursor says. The cursor goes back first, so that the log
   * keeps what is read again.
   */
  private synchronized void goBack(long through) throws InterruptedException {
    if (through < position.position()) {
      try {
        cursor.rewind(through, cursor.note());
      } catch (IOException unsaved) {
        loop.partlyFailed(unsaved); // the log keeps it all the same, while this process lives
      }
      position.again(through);
    }
  }

  /** Passes over all that is durable if no record of the rare stream is in it. */
  private boolean passOver() throws IOException {
    if (rare == null) {
      return false;
    }
    long through = log.durable(); // before the count, which has then counted all of it
    if (through > position.position()) {
      if (rareSettled < 0) {
        rareSettled = log.acceptedThrough(position.position()).of(rare);
        int _ = position.passedErased(rare); // counted in it, or read again
      }
      if (log.accepted().of(rare) > rareSettled) {
        goNear(rare);
        return false;
      }
      position.again(through);
    }
    return true;
  }

  /** Passes over the segments in front of the next record of the stream. */
  private void goNear(Stream stream) throws IOException {
    if (position.read() == position.position()) {
      long next = log.firstOf(stream, position.position() + 1);
      if (next > position.position() + 1) {
        position.again(next - 1);
      }
    }
  }

  @Override
  public void end() throws IOException, InterruptedException {
    taker.drop();
    try {
      advance();
    } finally {
      position.close();
    }
  }

  /** Takes and settles the records that are there; returns whether the log's end was reached. */
  private boolean together() throws IOException, InterruptedException {
    try {
      boolean isEnd = position.read() == position.position() && take();
      taker.settle();
      position.settled();
      rareRead += rare == null ? 0 : position.passedErased(rare);
      rareSettled += rareRead;
      rareRead = 0;
      return isEnd;
    } catch (RuntimeException | Error bug) {
      rareSettled = -1;
      rareRead = 0;
      poisonRecordSearch.begin();
      throw bug;
    }
  }

  /** Takes the records that are there; returns whether the log's end was reached. */
  private boolean take() throws IOException {
    int taken = 0;
    for (int i = 0; i < LOOK_MAX && taken < takenMax; i++) {
      if (!position.next()) {
        return true;
      }
      rareRead += position.record().stream() == rare ? 1 : 0;
      if (taker.take(position.record())) {
        taken++;
      }
    }
    return false;
  }

  /** A cursor that cannot be saved keeps the log from deleting, but reading goes on. */
  private void save() throws InterruptedException {
    try {
      advance();
      loop.partlyWorked();
    } catch (IOException | RuntimeException | Error cannot) {
      loop.partlyFailed(cannot);
    }
  }

  private synchronized void advance() throws IOException, InterruptedException {
    if (position.position() > cursor.sequence()) {
      cursor.advance(position.position());
    }
  }

  /** The log is full: gives up the records that were not read. */
  private synchronized boolean letGo(long through) throws IOException, InterruptedException {
    if (rare != null && holds(rare, through)) {
      return false;
    }
    if (through > cursor.sequence()) {
      long unseen = Math.max(0, through - Math.max(position.position(), cursor.sequence()));
      cursor.advance(through);
      taker.skipped(unseen);
    }
    return true;
  }

  /** Whether records of the rare stream up to that sequence are not settled: they are kept. */
  private boolean holds(Stream stream, long through) throws IOException {
    long settled = Math.max(position.position(), cursor.sequence());
    return through > settled
        && log.acceptedThrough(through).of(stream) > log.acceptedThrough(settled).of(stream);
  }
}
