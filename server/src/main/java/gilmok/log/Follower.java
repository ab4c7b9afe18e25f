package gilmok.log;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import java.io.IOException;
import java.time.Duration;

/**
 * Reads the log on and has somebody take what is in it: each record at least once, in order. How
 * far that has come is kept by a cursor, each second and at the end. What cannot be done now is
 * tried again, with pauses that grow, and nobody else waits for it.
 *
 * <p>A record that nobody can process is passed over, counted and named, once another one was
 * processed right after it failed: that shows that it is the record, and not the store or the
 * program. However many fail in a row, what is behind them that can be processed is; while all of
 * it fails, nothing is passed over. How: {@link PoisonRecordSearch}.
 *
 * <p>Has a background loop of its own, whose thread asks the {@link Taker}.
 */
public final class Follower implements BackgroundLoop.Work {
  /** Most records looked at before the cursor may move. */
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

  /** Who wants what is in the log. Asked by the follower's thread, but for {@link #skipped}. */
  public interface Taker extends PoisonRecordSearch.Taker {
    /** The log is full: so many records were let go unseen. On the log's preparing thread. */
    void skipped(long records);
  }

  /**
   * A follower that stands still.
   *
   * @param name of its cursor
   * @param takenMax most records to settle at once
   * @param loops where its loop is watched
   * @param what what does not work while it fails, for the operator
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

  /** How many durable records it has not looked at. From any thread. */
  public long lagRecords() {
    return Math.max(0, log.durable() - position.position());
  }

  /** Whether it was told to stop. From any thread. */
  public boolean isStopping() {
    return loop.isStopping();
  }

  /** Ends what has begun. */
  public void stop(Duration patience) throws InterruptedException {
    loop.stop(patience);
  }

  @Override
  public long pass() throws IOException, InterruptedException {
    if (cursor.sequence() > position.position()) {
      poisonRecordSearch.again(cursor.sequence());
    }
    // Before what may fail: what was settled earlier is saved in any case.
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

  /** Takes and settles what there is; whether the log's end was reached. */
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

  /** Takes what there is; whether the log's end was reached. */
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

  /** A cursor that cannot be saved holds the log, but not the reading. */
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

  /** The log is full: what was not looked at is let go. */
  private synchronized boolean letGo(long through) throws IOException, InterruptedException {
    if (through > cursor.sequence()) {
      long unseen = Math.max(0, through - Math.max(position.position(), cursor.sequence()));
      cursor.advance(through);
      taker.skipped(unseen);
    }
    return true;
  }
}
