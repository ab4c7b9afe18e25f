package gilmok.documents;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One write in flight. Its caller queues it and parks, or leaves a future; the writer's thread runs
 * it, commits, and only then wakes the caller or completes the future. The first of the two to
 * change its state wins: a write whose caller gave up, or cancelled the future, before its turn is
 * skipped.
 */
final class SqliteWrite<T> {
  private static final int WAITS = 0;
  private static final int TAKEN = 1;
  private static final int GIVEN_UP = 2;
  private static final int DONE = 3;

  private final SqliteWork<T> work;

  /** Null for a write with a future. */
  private final @Nullable Thread caller;

  private final @Nullable CompletableFuture<T> future;
  private final AtomicInteger state = new AtomicInteger(WAITS);

  // Written by the writer before it sets DONE, read by the caller after it.
  private @Nullable T result;
  private @Nullable Throwable failure;

  private SqliteWrite(
      SqliteWork<T> work, @Nullable Thread caller, @Nullable CompletableFuture<T> future) {
    this.work = work;
    this.caller = caller;
    this.future = future;
  }

  /** A write for which this thread will {@link #await}. */
  SqliteWrite(SqliteWork<T> work) {
    this(work, Thread.currentThread(), null);
  }

  /** A write for which nobody waits: it completes the future, on the writer's thread. */
  static <T> SqliteWrite<T> later(SqliteWork<T> work, CompletableFuture<T> future) {
    return new SqliteWrite<>(work, null, future);
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
    return (future == null || !future.isDone()) && state.compareAndSet(WAITS, TAKEN);
  }

  /**
   * Runs the write in a savepoint, and rolls back only it if it fails. It is not durable yet. The
   * driver may then have closed a statement that others need, or left one open that reads, so all
   * are prepared again.
   *
   * @throws SQLException when it cannot be rolled back; then none of the group is written
   */
  void runIn(SqliteSession session) throws SQLException {
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
    if (future == null) {
      LockSupport.unpark(caller);
      return;
    }
    Throwable reason = failure == null ? null : failure();
    if (reason == null) {
      boolean _ = future.complete(result);
    } else {
      boolean _ = future.completeExceptionally(reason);
    }
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
    Throwable reason = failure == null ? null : failure();
    if (reason instanceof IOException outage) {
      throw outage;
    }
    if (reason instanceof RuntimeException bug) {
      throw bug;
    }
    return result;
  }

  /** Why it failed, for its caller: an {@link IOException} for an outage, else a bug. */
  private Throwable failure() {
    Throwable reason = Objects.requireNonNull(failure);
    if (reason instanceof DocumentsBusy) {
      return reason;
    }
    return reason instanceof RuntimeException || reason instanceof Error
        ? new IllegalStateException("a write has a bug", reason)
        : new IOException("not written: " + reason.getMessage(), reason);
  }
}
