package gilmok.documents;

import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;

/**
 * The one thread that writes, and the bounded queue before it.
 *
 * <p>Thread-safe but for what is said to be the writer's.
 */
final class SqliteWriter {
  /** Most writes that share a commit. */
  static final int GROUP_MAX = 1024;

  private static final System.Logger LOG = System.getLogger(SqliteWriter.class.getName());
  private static final long LOOK_MILLIS = 1_000;
  private static final Duration READERS_PATIENCE = Duration.ofMillis(10);

  private final SqliteSession session;
  private final ArrayBlockingQueue<SqliteWrite<?>> queue;
  private final long timeoutNanos;
  private final Counter queueFull;
  private final Counter tooSlow;
  private final Histogram groups;
  private final Histogram commits;
  private final Thread thread;

  /** The writer's: what shares the next commit. */
  private final List<SqliteWrite<?>> group = new ArrayList<>(GROUP_MAX);

  private volatile boolean restToMove;
  private volatile boolean closing;

  SqliteWriter(SqliteSession session, SqliteConfig config, Meters meters) {
    this.session = session;
    queue = new ArrayBlockingQueue<>(config.queueMax());
    timeoutNanos = config.timeout().toNanos();
    queueFull = busy(meters, "queue-full");
    tooSlow = busy(meters, "too-slow");
    groups = meters.amounts("gilmok_documents_group_writes", "Writes that one commit covers.");
    commits = meters.seconds("gilmok_documents_commit_seconds", "One commit, with its fsync.");
    meters.gauge(
        "gilmok_documents_queue_writes", "Writes that wait for the next commit.", queue::size);
    meters.gauge("gilmok_documents_queue_writes_max", "Its bound.", config::queueMax);
    thread = Thread.ofPlatform().name("documents-writer").unstarted(this::work);
  }

  static Counter busy(Meters meters, String cause) {
    return meters.counter(
        "gilmok_documents_busy_total",
        "Reads and writes for which there was no room or no time.",
        "cause",
        cause);
  }

  void start() {
    thread.start();
  }

  <T> @Nullable T write(SqliteWork<T> work) throws IOException, InterruptedException {
    if (closing) {
      throw DocumentsBusy.CLOSED;
    }
    SqliteWrite<T> write = new SqliteWrite<>(work);
    if (!queue.offer(write)) {
      queueFull.increment();
      throw DocumentsBusy.QUEUE_FULL;
    }
    if (closing && queue.remove(write)) { // the thread may have looked for the last time
      throw DocumentsBusy.CLOSED;
    }
    try {
      return write.await(timeoutNanos);
    } catch (DocumentsBusy busy) {
      tooSlow.increment();
      throw busy;
    }
  }

  /** Takes no more, writes what waits, ends. Returns when the thread has ended or time is over. */
  void close(Duration patience) throws InterruptedException {
    closing = true;
    queue.offer(new SqliteWrite<>(_ -> true)); // so that it looks at once
    thread.join(patience);
  }

  /** Has what little is left in SQLite's log of writes moved into the file, by the writer. */
  void moveRest() {
    restToMove = true;
  }

  /** Something failed: after an error of the disk, what it says cannot be believed any more. */
  void failed(SQLException e) {
    if (e.getErrorCode() == SQLiteErrorCode.SQLITE_IOERR.code) {
      closing = true;
    }
  }

  /** Whether it takes writes: not closed, and the disk has not failed. */
  boolean isOpen() {
    return !closing;
  }

  private void work() {
    try {
      while (true) {
        long patience = closing ? 0 : LOOK_MILLIS;
        SqliteWrite<?> first = queue.poll(patience, TimeUnit.MILLISECONDS);
        if (first != null) {
          group.add(first);
          queue.drainTo(group, GROUP_MAX - 1);
          group.removeIf(write -> !write.take());
          write();
          group.clear();
        } else if (closing) {
          return;
        }
        if (restToMove) { // after the answers: only what comes next waits for it
          restToMove = false;
          beginLogAnew();
        }
      }
    } catch (InterruptedException | RuntimeException e) {
      closing = true;
      LOG.log(Level.ERROR, "the thread that writes documents has ended", e);
    } finally {
      fail(DocumentsBusy.CLOSED);
    }
  }

  /** Writes a group: each by itself, all durable at once. */
  private void write() {
    if (group.isEmpty()) {
      return;
    }
    try {
      session.begin();
      for (SqliteWrite<?> write : group) {
        run(write);
      }
      long began = System.nanoTime();
      session.commit();
      commits.record(System.nanoTime() - began);
      groups.record(group.size());
    } catch (SQLException e) {
      LOG.log(Level.ERROR, "documents were not written: " + e.getMessage());
      failed(e);
      group.forEach(write -> write.fail(e));
      rollback();
    }
    group.forEach(SqliteWrite::done);
  }

  /** Not at any price: who reads for long keeps the log as it is, until it is tried again. */
  private void beginLogAnew() {
    try {
      session.patience(READERS_PATIENCE);
      try {
        session.checkpoint(SqliteWal.Mode.RESTART);
      } finally {
        session.patience(SqliteSession.LOCK_PATIENCE);
      }
    } catch (SQLException e) { // it is tried again when the log is looked at next
      LOG.log(Level.WARNING, "SQLite''s log does not begin anew: {0}", e.getMessage());
      failed(e);
    }
  }

  /**
   * Runs one in a savepoint; what fails is taken back alone.
   *
   * @throws SQLException when it cannot be taken back: then none of the group is
   */
  private void run(SqliteWrite<?> write) throws SQLException {
    execute("SAVEPOINT one");
    try {
      write.run(session);
    } catch (SQLException | RuntimeException e) {
      write.fail(e);
      execute("ROLLBACK TO one");
    }
    execute("RELEASE one");
  }

  private void execute(String sql) throws SQLException {
    PreparedStatement statement = session.prepare(sql);
    statement.execute();
  }

  private void rollback() {
    try {
      session.rollback();
    } catch (SQLException e) { // some failures have rolled back by themselves
      LOG.log(Level.DEBUG, "nothing to roll back", e);
    }
  }

  /** Whoever waits still is told that nothing was written. */
  private void fail(DocumentsBusy reason) {
    closing = true;
    queue.drainTo(group);
    for (SqliteWrite<?> write : group) {
      write.fail(reason);
      write.done();
    }
  }
}
