package gilmok.log;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import java.io.IOException;
import java.time.Duration;

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
 * <p>Runs on a background loop of its own; that thread calls the {@link Taker}.
 */
public final class Follower implements BackgroundLoop.Work {
  /** The most records read before the cursor may move. */
  private static final int LOOK_MAX = 1 << 16;

  private static final long IDLE_NANOS = 10_000_000L;
  private static final long SAVE_NANOS = 1_000_000_000L;

  private final Log log;
  private final Taker taker;
  private final int takenMax;
  private final Cursor cursor;
  private final BackgroundLoop loop;
  private final FollowerCursor position;
  private final PoisonRecordSearch poisonRecordSearch;
  private long savedNanos = System.nanoTime();

  /** Processes the log's records. Called on the follower's thread, but for {@link #skipped}. */
  public interface Taker extends PoisonRecordSearch.Taker {
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
    this.log = log;
    this.taker = taker;
    this.takenMax = takenMax;
    loop = loops.optional("follow-" + name, what, this);
    cursor = log.cursor(name);
    position = new FollowerCursor(log, loop, cursor.sequence());
    poisonRecordSearch = new PoisonRecordSearch(log, taker, loop, position, cursor);
    cursor.onFull(this::letGo);
  }

  /** Begins to read. */
  public void start() {
    loop.start();
  }

  /** How many durable records are not settled yet. From any thread. */
  public long lagRecords() {
    return Math.max(0, log.durable() - position.position());
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
    if (cursor.sequence() > position.position()) {
      poisonRecordSearch.again(cursor.sequence());
    }
    // First, so that the settled records are saved even if the rest of the pass fails.
    if (System.nanoTime() - savedNanos >= SAVE_NANOS) {
      savedNanos = System.nanoTime();
      save();
    }
    boolean isEnd =
        poisonRecordSearch.isDue() ? poisonRecordSearch.pass(savedNanos + SAVE_NANOS) : together();
    return isEnd ? IDLE_NANOS : 0;
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
      return isEnd;
    } catch (RuntimeException | Error bug) {
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
    if (through > cursor.sequence()) {
      long unseen = Math.max(0, through - Math.max(position.position(), cursor.sequence()));
      cursor.advance(through);
      taker.skipped(unseen);
    }
    return true;
  }
}
