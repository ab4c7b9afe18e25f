package gilmok.log;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads the log on and has somebody take what is in it: each record at least once, in order. How
 * far that has come is kept by a cursor, each second and at the end. What cannot be done now is
 * tried again, with pauses that grow, and nobody else waits for it.
 *
 * <p>Has a thread of its own, which asks its {@link Taker}.
 */
public final class Follower {
  private static final Logger LOG = System.getLogger("gilmok.log");

  /** Most records looked at before the cursor may move. */
  private static final int LOOK_MAX = 1 << 16;

  private static final long IDLE_NANOS = 10_000_000L;
  private static final long SAVE_NANOS = 1_000_000_000L;
  private static final long RETRY_NANOS_MIN = 100_000_000L;
  private static final long RETRY_NANOS_MAX = 10_000_000_000L;

  private final Log log;
  private final Taker taker;
  private final int takenMax;
  private final Cursor cursor;
  private final Thread thread;
  private LogReader reader;
  private volatile long position;
  private volatile boolean stopping;

  /** Who wants what is in the log. Asked by the follower's thread, but for {@link #skipped}. */
  public interface Taker {
    /** Looks at the record where the reader stands; whether it is to be settled. */
    boolean take(LogReader record);

    /**
     * Does what was taken since this was last called.
     *
     * @return whether all was done; otherwise it is read again
     * @throws IOException when it cannot be done now: it is read again
     */
    boolean settle() throws IOException, InterruptedException;

    /** Forgets what was taken and not settled. */
    void drop();

    /** It did not work, and is tried again. */
    void failed(IOException why);

    /** The log is full: so many records were let go unseen. On the log's preparing thread. */
    void skipped(long records);
  }

  /**
   * A follower that stands still.
   *
   * @param name of its cursor and its thread
   * @param takenMax most records to settle at once
   */
  public Follower(Log log, String name, int takenMax, Taker taker)
      throws IOException, InterruptedException {
    this.log = log;
    this.taker = taker;
    this.takenMax = takenMax;
    cursor = log.cursor(name, this::letGo);
    position = cursor.sequence();
    reader = log.reader(position + 1);
    thread = Thread.ofPlatform().name("follow-" + name).daemon().unstarted(this::run);
  }

  /** Begins to read. */
  public void start() {
    thread.start();
  }

  /** How many durable records it has not looked at. From any thread. */
  public long lagRecords() {
    return Math.max(0, log.durable() - position);
  }

  /** Whether it was told to stop. From any thread. */
  public boolean isStopping() {
    return stopping;
  }

  /** Ends what has begun. */
  public void stop(Duration patience) throws InterruptedException {
    stopping = true;
    LockSupport.unpark(thread);
    thread.join(patience);
  }

  private void run() {
    long savedNanos = System.nanoTime();
    long pause = RETRY_NANOS_MIN;
    while (!stopping) {
      try {
        boolean isEnd = pass();
        pause = RETRY_NANOS_MIN;
        if (System.nanoTime() - savedNanos >= SAVE_NANOS) {
          save();
          savedNanos = System.nanoTime();
        }
        if (isEnd) {
          LockSupport.parkNanos(IDLE_NANOS);
        }
      } catch (IOException failed) {
        taker.failed(failed);
        LockSupport.parkNanos(pause);
        pause = Math.min(2 * pause, RETRY_NANOS_MAX);
        reopen();
      } catch (InterruptedException hurried) {
        stopping = true;
      } catch (RuntimeException bug) {
        LOG.log(Level.ERROR, cursor.name() + " do not follow any more; restart the server", bug);
        stopping = true;
      }
    }
    try {
      save();
      reader.close();
    } catch (IOException cannot) {
      LOG.log(
          Level.WARNING,
          "the next start reads some records again for {0}: {1}",
          cursor.name(),
          cannot.getMessage());
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads on and has done what was read; whether the log's end was reached. */
  private boolean pass() throws IOException, InterruptedException {
    if (cursor.sequence() > position) {
      position = cursor.sequence();
      reopen();
    }
    taker.drop();
    long last = position;
    int taken = 0;
    boolean isEnd = false;
    for (int i = 0; i < LOOK_MAX && taken < takenMax; i++) {
      if (!reader.next()) {
        isEnd = true;
        break;
      }
      last = reader.sequence();
      if (taker.take(reader)) {
        taken++;
      }
    }
    if (taker.settle()) {
      position = last;
    } else {
      reopen();
    }
    return isEnd;
  }

  private synchronized void save() throws IOException, InterruptedException {
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

  private void reopen() {
    try {
      reader.close();
    } catch (IOException unclosed) {
      taker.failed(unclosed);
    }
    reader = log.reader(position + 1);
  }
}
