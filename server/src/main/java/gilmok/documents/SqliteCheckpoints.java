package gilmok.documents;

import gilmok.background.BackgroundThread;
import gilmok.background.WakeSignal;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Checkpoints SQLite's write-ahead log on a thread of its own: copies committed pages from the log
 * into the database file. If the writer did it, as SQLite does by default, every write would wait
 * for the file's fsync: a p99 of 39 instead of 22 ms at 8,000 writes a second. On another thread a
 * checkpoint never reaches the log's end, as more is written meanwhile. So when nearly all is
 * copied, the writer copies the rest, and its next write restarts the log. Reads under way prevent
 * that; the larger the log, the longer the writer waits for them. Only the writer may wait so: from
 * here the write lock is hardly ever to be had, and SQLite copies without it what it can.
 *
 * <p>Source: <a href="https://www.sqlite.org/wal.html">Write-Ahead Logging</a>, "Avoiding
 * Excessively Large WAL Files".
 *
 * <p>While nothing is written, the thread sleeps until the next commit. Thread-safe.
 */
final class SqliteCheckpoints {
  private static final System.Logger LOG = System.getLogger(SqliteCheckpoints.class.getName());

  /** At most this many pages are copied by the writer: about as much as one group writes. */
  private static final int FEW_PAGES = 400;

  /** Passes in a row; each has to copy only what was written during the one before. */
  private static final int PASSES = 5;

  private static final long LOOK_MILLIS = 50;
  private static final long IDLE_MILLIS = 60_000;
  private static final long RETRY_MILLIS = 5_000;

  /** How long writes wait for readers so that the log can restart. */
  private static final Duration PATIENCE = Duration.ofMillis(10);

  /** Twice as long each time, once the log is large: reads that overlap would keep it for ever. */
  private static final Duration LONG_PATIENCE_MIN = Duration.ofMillis(100);

  private static final Duration LONG_PATIENCE_MAX = Duration.ofSeconds(1);

  private final SqliteSource source;
  private final SqliteWriter writer;
  private final SqliteWalBounds bounds;
  private final Histogram seconds;
  private final Thread thread;
  private final Semaphore awake = new Semaphore(0);
  private final WakeSignal commit = new WakeSignal(awake::release);
  private volatile boolean isClosing;
  private volatile int inLog;
  private volatile boolean isBehind;
  private final AtomicInteger holders = new AtomicInteger();

  /** Owned by the thread; null after a failure. */
  private @Nullable SqliteSession session;

  /** Owned by the thread. */
  private long pauseMillis = LOOK_MILLIS;

  /** Owned by the thread. */
  private Duration longPatience = LONG_PATIENCE_MIN;

  /** Owned by the thread. */
  private boolean wasFull;

  SqliteCheckpoints(SqliteSource source, SqliteWriter writer, Meters meters) throws IOException {
    this.source = source;
    session = source.mover();
    this.writer = writer;
    bounds = source.bounds();
    seconds =
        meters.seconds(
            "gilmok_documents_checkpoint_seconds",
            "Moving pages from SQLite's log of writes into the file, beside the writer.");
    meters.gauge(
        "gilmok_documents_wal_pages", "Pages of 4 KiB in SQLite's log of writes.", () -> inLog);
    meters.gauge(
        "gilmok_documents_wal_pages_max",
        "Pages of the log at which all writes wait for its readers.",
        bounds::max);
    thread = BackgroundThread.lasting("documents-checkpoint", this::work);
    writer.committed().add(commit);
  }

  void start() {
    thread.start();
  }

  /**
   * Leaves the log as it is while a long read needs it, and writes would wait for that read. The
   * log grows meanwhile, up to its bound.
   */
  void hold() {
    holders.incrementAndGet();
  }

  /** Goes on. Call it once for each hold. */
  void release() {
    holders.decrementAndGet();
    awake.release();
  }

  /** Whether the log is so large that what can wait should not write, and readers should end. */
  boolean isBehind() {
    return isBehind;
  }

  /** Ends the thread. The rest of the log is copied when the last connection closes. */
  void close(Duration patience) throws InterruptedException {
    isClosing = true;
    awake.release();
    thread.join(patience);
  }

  private void work() {
    try {
      while (!isClosing) {
        boolean _ = awake.tryAcquire(pauseMillis, TimeUnit.MILLISECONDS);
        if (!isClosing) {
          tryToLook();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      giveUp();
    }
  }

  /** Any failure is tried again: without this thread the log would grow for ever. */
  private void tryToLook() {
    try {
      SqliteSession current = session == null ? source.mover() : session;
      session = current;
      commit.arm(); // before the look: a commit after it wakes this thread
      pauseMillis = look(current) ? LOOK_MILLIS : IDLE_MILLIS;
      if (pauseMillis == LOOK_MILLIS) {
        commit.disarm();
        int _ = awake.drainPermits();
      }
    } catch (SQLException | IOException | RuntimeException | Error e) {
      LOG.log(
          Level.WARNING,
          "a checkpoint of SQLite failed; its log grows, nothing is lost: " + e.getMessage());
      giveUp();
      pauseMillis = RETRY_MILLIS;
    }
  }

  private void giveUp() {
    SqliteSession last = session;
    session = null;
    if (last != null) {
      last.closeQuietly();
    }
  }

  /** Looks once; returns whether anything was written since the look before, or is to be moved. */
  private boolean look(SqliteSession session) throws SQLException {
    SqliteWal wal = session.checkpoint(SqliteWal.Mode.NOOP);
    boolean isFull = wal.pages() >= bounds.max();
    boolean mayMove = (isFull || holders.get() == 0) && !writer.isToMoveRest();
    if (mayMove && wal.pages() >= bounds.usual()) {
      wal = move(session, wal);
    }
    boolean isLeft = wal.pages() >= bounds.usual() && wal.left() > 0;
    boolean isChanged = isLeft || !mayMove || wal.pages() != inLog;
    inLog = wal.pages();
    isBehind = isLeft && wal.pages() >= bounds.high();
    warn(isBehind && isFull);
    return isChanged;
  }

  /** Copies nearly all, and leaves the rest to the writer; all of it once the log is large. */
  private SqliteWal move(SqliteSession session, SqliteWal found) throws SQLException {
    SqliteWal wal = found;
    boolean isHigh = found.pages() >= bounds.high();
    for (int pass = 0; !isHigh && pass < PASSES && wal.left() > FEW_PAGES; pass++) {
      long began = System.nanoTime();
      wal = session.checkpoint(SqliteWal.Mode.PASSIVE);
      seconds.record(System.nanoTime() - began);
    }
    if (wal.left() > 0) {
      writer.moveRest(patience(found.pages()));
    }
    return wal;
  }

  /** How long writes wait for readers so that the log can begin anew. */
  private Duration patience(int pages) {
    if (pages < bounds.high()) {
      longPatience = LONG_PATIENCE_MIN;
      return PATIENCE;
    }
    Duration present = longPatience;
    Duration twice = present.multipliedBy(2);
    longPatience = twice.compareTo(LONG_PATIENCE_MAX) < 0 ? twice : LONG_PATIENCE_MAX;
    return pages < bounds.max() ? present : source.patience();
  }

  private void warn(boolean isFull) {
    if (isFull && !wasFull) {
      LOG.log(
          Level.WARNING,
          "SQLite''s log has {0} pages: writes wait until whoever reads an old state has ended: a"
              + " backup, or another program that has documents.db open",
          bounds.max());
    }
    wasFull = isFull;
  }
}
