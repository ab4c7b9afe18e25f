package gilmok.documents;

import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One write on its way: put down by its caller, who parks; picked up by the writer's thread, which
 * runs it, commits, and only then wakes the caller. Of the two, whoever changes its state first has
 * it: a caller who gave up before its turn came is passed over.
 */
final class SqliteWrite<T> {
  private static final int WAITS = 0;
  private static final int TAKEN = 1;
  private static final int GIVEN_UP = 2;
  private static final int DONE = 3;

  private final SqliteWork<T> work;
  private final Thread caller = Thread.currentThread();
  private final AtomicInteger state = new AtomicInteger(WAITS);

  // Written by the writer before DONE, read by the caller after it.
  private @Nullable T result;
  private @Nullable Throwable failure;

  SqliteWrite(SqliteWork<T> work) {
    this.work = work;
  }

  /** Whether it is still wanted; the writer asks once, before it begins. */
  boolean take() {
    return state.compareAndSet(WAITS, TAKEN);
  }

  /** Runs it. Not durable yet. */
  void run(SqliteSession session) throws SQLException {
    result = work.run(session);
  }

  /** It will not happen: the first reason counts. */
  void fail(Throwable reason) {
    if (failure == null) {
      failure = reason;
    }
  }

  /** It is durable, or has failed: its caller goes on. */
  void done() {
    state.set(DONE);
    LockSupport.unpark(caller);
  }

  /** Waits for the end; by the caller. */
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
