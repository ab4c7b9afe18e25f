package gilmok.documents;

import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One write in flight. Its caller queues it and parks; the writer's thread runs it, commits, and
 * only then wakes the caller. The first of the two to change its state wins: a write whose caller
 * gave up before its turn is skipped.
 */
final class SqliteWrite<T> {
  private static final int WAITS = 0;
  private static final int TAKEN = 1;
  private static final int GIVEN_UP = 2;
  private static final int DONE = 3;

  private final SqliteWork<T> work;
  private final Thread caller = Thread.currentThread();
  private final AtomicInteger state = new AtomicInteger(WAITS);

  // Written by the writer before it sets DONE, read by the caller after it.
  private @Nullable T result;
  private @Nullable Throwable failure;

  SqliteWrite(SqliteWork<T> work) {
    this.work = work;
  }

  /** A write that is skipped: it only wakes the writer. */
  static SqliteWrite<Boolean> none() {
    SqliteWrite<Boolean> none = new SqliteWrite<>(_ -> true);
    none.state.set(GIVEN_UP);
    return none;
  }

  /**
   * Claims the write for the writer; false when the caller has given up. Called once, before it
   * runs.
   */
  boolean take() {
    return state.compareAndSet(WAITS, TAKEN);
  }

  /**
   * Runs the write in a savepoint and rolls back only that if it fails; it is not durable yet. The
   * driver may then have closed a statement that others need, or left one open that reads, so all
   * are prepared again.
   *
   * @throws SQLException when it cannot be rolled back; then none of the group is written
   */
  void runAlone(SqliteSession session) throws SQLException {
    session.prepare("SAVEPOINT one").execute();
    try {
      result = work.run(session);
    } catch (SQLException | RuntimeException | Error e) {
      fail(e);
      session.rollBackTo("one");
    }
    session.prepare("RELEASE one").execute();
  }

  /** Marks the write as failed; only the first reason is kept. */
  void fail(Throwable reason) {
    if (failure == null) {
      failure = reason;
    }
  }

  /** Ends the write, durable or failed, and wakes the caller. */
  void done() {
    state.set(DONE);
    LockSupport.unpark(caller);
  }

  /** Waits for the end; called by the thread that queued the write. */
  @Nullable T await(long nanosMax) throws IOException, InterruptedException {
    long end = System.nanoTime() + nanosMax;
    while (state.get() != DONE) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        state.compareAndSet(WAITS, GIVEN_UP);
        throw DocumentsBusy.TOO_SLOW;
      }
      if (Thread.interrupted()) {
        state.compareAndSet(WAITS, GIVEN_UP);
        throw new InterruptedException();
      }
      LockSupport.parkNanos(this, left);
    }
    Throwable reason = failure;
    if (reason instanceof DocumentsBusy busy) {
      throw busy;
    }
    if (reason instanceof RuntimeException || reason instanceof Error) {
      throw new IllegalStateException("a write has a bug", reason);
    }
    if (reason != null) {
      throw new IOException("not written: " + reason.getMessage(), reason);
    }
    return result;
  }
}
