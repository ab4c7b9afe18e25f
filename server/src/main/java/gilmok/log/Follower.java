package gilmok.log;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the log on and has somebody take what is in it: each record at least once, in order. How
 * far that has come is kept by a cursor, each second and at the end. What cannot be done now is
 * tried again, with pauses that grow, and nobody else waits for it.
 *
 * <p>A record that nobody can process is passed over, once another one was processed: that shows
 * that it is the record, and not the store or the program, for then all would fail and nothing is
 * passed over. To find it, what failed is read again and taken one by one.
 *
 * <p>Has a background loop of its own, whose thread asks the {@link Taker}.
 */
public final class Follower implements BackgroundLoop.Work {
  /** Most records looked at before the cursor may move. */
  private static final int LOOK_MAX = 1 << 16;

  /** So many that fail one after the other are no matter of records. */
  private static final int SUSPECTS_MAX = 8;

  private static final long IDLE_NANOS = 10_000_000L;
  private static final long SAVE_NANOS = 1_000_000_000L;

  private final Log log;
  private final Taker taker;
  private final int takenMax;
  private final Cursor cursor;
  private final BackgroundLoop loop;
  private LogReader reader;
  private long savedNanos = System.nanoTime();

  /** All up to there is settled. */
  private volatile long position;

  /** All up to there was read; what of it is over the position was taken and is to be settled. */
  private long read;

  /** Up to there records are taken one by one: among them is one that failed. */
  private long oneByOneThrough;

  /** Those that failed by themselves, before any other was settled. */
  private final List<Suspect> suspects = new ArrayList<>();

  private boolean isOneTaken;
  private boolean isOneOfInterest;

  private record Suspect(long sequence, Throwable why) {}

  /** Who wants what is in the log. Asked by the follower's thread, but for {@link #skipped}. */
  public interface Taker {
    /** Looks at the record where the reader stands; whether it is to be settled. */
    boolean take(LogReader record);

    /**
     * Does what was taken and is not done yet.
     *
     * @throws IOException when it cannot be done now: this is called again, until it can
     */
    void settle() throws IOException, InterruptedException;

    /** Forgets what was taken and not settled: it is read again, or let go. */
    void drop();

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
    cursor = log.cursor(name, this::letGo);
    position = cursor.sequence();
    read = position;
    reader = log.reader(position + 1);
    loop = loops.optional("follow-" + name, what, this);
  }

  /** Begins to read. */
  public void start() {
    loop.start();
  }

  /** How many durable records it has not looked at. From any thread. */
  public long lagRecords() {
    return Math.max(0, log.durable() - position);
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
    if (cursor.sequence() > position) {
      again(cursor.sequence());
    }
    boolean isEnd = oneByOneThrough > position ? oneByOne() : together();
    if (System.nanoTime() - savedNanos >= SAVE_NANOS) {
      savedNanos = System.nanoTime();
      save();
    }
    return isEnd ? IDLE_NANOS : 0;
  }

  @Override
  public void end() throws IOException, InterruptedException {
    taker.drop();
    try {
      advance();
    } finally {
      reader.close();
    }
  }

  /** Takes and settles what there is; whether the log's end was reached. */
  private boolean together() throws IOException, InterruptedException {
    try {
      boolean isEnd = read == position && take();
      taker.settle();
      position = read;
      return isEnd;
    } catch (RuntimeException | Error bug) {
      oneByOneThrough = Math.max(read, position + 1);
      again(position);
      throw bug;
    }
  }

  /** Takes what there is; whether the log's end was reached. */
  private boolean take() throws IOException {
    int taken = 0;
    for (int i = 0; i < LOOK_MAX && taken < takenMax; i++) {
      if (!next()) {
        return true;
      }
      if (taker.take(reader)) {
        taken++;
      }
    }
    return false;
  }

  /** Takes and settles one record after the other, until those that fail are behind. */
  private boolean oneByOne() throws IOException, InterruptedException {
    while (position < oneByOneThrough && !loop.isStopping()) {
      if (!isOneTaken && !next()) {
        return hold();
      }
      settleOne();
      if (suspects.size() == SUSPECTS_MAX) {
        return hold();
      }
    }
    return false;
  }

  private void settleOne() throws IOException, InterruptedException {
    try {
      isOneOfInterest = isOneTaken ? isOneOfInterest : taker.take(reader);
      isOneTaken = true;
      taker.settle();
      isOneTaken = false;
      if (isOneOfInterest) {
        passOverSuspects();
      }
      if (suspects.isEmpty()) {
        position = read;
      }
    } catch (RuntimeException | Error bug) {
      isOneTaken = false;
      taker.drop();
      suspects.add(new Suspect(read, bug));
    }
  }

  private void passOverSuspects() {
    for (Suspect suspect : suspects) {
      loop.skipped("record " + log.node() + ":" + suspect.sequence, suspect.why);
    }
    suspects.clear();
  }

  /** Nothing shows whose fault it is: all of it is tried again later. Whether there is nothing. */
  private boolean hold() {
    if (suspects.isEmpty()) {
      position = read;
      return true;
    }
    Suspect first = suspects.getFirst();
    again(position);
    throw new IllegalStateException(
        "record "
            + log.node()
            + ":"
            + first.sequence
            + " and all behind it cannot be processed: "
            + first.why,
        first.why);
  }

  /** Goes on to the next record; false at the log's end. */
  private boolean next() throws IOException {
    try {
      if (!reader.next()) {
        return false;
      }
      read = reader.sequence();
      return true;
    } catch (IOException unreadable) {
      reopen(read);
      throw unreadable;
    }
  }

  /** Begins behind that sequence again, with nothing taken. */
  private void again(long behind) {
    taker.drop();
    suspects.clear();
    isOneTaken = false;
    position = behind;
    reopen(behind);
  }

  private void reopen(long behind) {
    try {
      reader.close();
    } catch (IOException unclosed) {
      loop.partlyFailed(unclosed);
    }
    reader = log.reader(behind + 1);
    read = behind;
  }

  /** A cursor that cannot be saved holds the log, but not the reading. */
  private void save() throws InterruptedException {
    try {
      advance();
      loop.partlyWorked();
    } catch (IOException cannot) {
      loop.partlyFailed(cannot);
    }
  }

  private synchronized void advance() throws IOException, InterruptedException {
    if (position > cursor.sequence()) {
      cursor.advance(position);
    }
  }

  /** The log is full: what was not looked at is let go. */
  private synchronized boolean letGo(long through) throws IOException, InterruptedException {
    if (through > cursor.sequence()) {
      taker.skipped(Math.max(0, through - Math.max(position, cursor.sequence())));
      cursor.advance(through);
    }
    return true;
  }
}
