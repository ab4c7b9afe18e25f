package gilmok.documents;

import gilmok.background.BackgroundThread;
import gilmok.background.WakeSignals;
import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import gilmok.observe.WaitMeter;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread that writes, and its bounded queue.
 *
 * <p><b>After a failure.</b> SQLite may or may not have rolled back the transaction, and its driver
 * has closed the statement that failed, even {@code COMMIT} and {@code ROLLBACK}. So a connection
 * on which a group has failed is closed, which rolls back, and another is opened for the next
 * group, after a pause. That is right after a failed fsync as well: SQLite counts nothing of a
 * failed commit as written, and the next commit writes the same place of the log again before it
 * forces it. While writing fails and no writes come, the thread tries writing once a second.
 *
 * <p>Thread-safe, except what is marked as the writer's.
 */
final class SqliteWriter {
  /** Most writes that share a commit. */
  static final int GROUP_MAX = 1024;

  /** So many writes are committed without waiting for more: one commit for all gains no more. */
  static final int CROWD = 128;

  private static final System.Logger LOG = System.getLogger(SqliteWriter.class.getName());
  private static final long RETRY_MILLIS = 1_000;
  private static final long IDLE_MILLIS = 60_000;
  private static final long PAUSE_MILLIS_MIN = 10;
  private static final long PAUSE_MILLIS_MAX = 1_000;

  private final SqliteSource source;
  private final ArrayBlockingQueue<SqliteWrite<?>> queue;
  private final Duration timeout;
  private final long intervalNanos;
  private final Counter queueFull;
  private final Counter tooSlow;
  private final Histogram groups;
  private final Histogram commits;
  private final WaitMeter wait;
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final WakeSignals committed = new WakeSignals();

  /** The writer's: the writes that share the next commit. */
  private final List<SqliteWrite<?>> group = new ArrayList<>(GROUP_MAX);

  /** The writer's: whether the name of the log that this connection found or created is durable. */
  private boolean isNameForced;

  /** The writer's: the next group is taken not before this time, by {@link System#nanoTime}. */
  private long fromNanos = System.nanoTime();

  /** The writer's: the pause after the next failure. */
  private long pauseMillis = PAUSE_MILLIS_MIN;

  /** Changed only by the writer; null after a failure. */
  private volatile @Nullable SqliteSession session;

  private volatile @Nullable String fault;
  private volatile boolean isAtWork;
  private volatile boolean isGathering;
  private volatile long atWorkSinceNanos;
  private final SqliteRewriting rewriting;

  /** How long to wait for readers when the rest of the log is copied; null when none is to be. */
  private volatile @Nullable Duration restPatience;

  SqliteWriter(SqliteSource source, SqliteSession first, SqliteConfig config, Meters meters) {
    this.source = source;
    session = first;
    rewriting = new SqliteRewriting(source);
    queue = new ArrayBlockingQueue<>(config.queueMax());
    timeout = config.timeout();
    intervalNanos = config.commitInterval().toNanos();
    queueFull = busy(meters, "queue-full");
    tooSlow = busy(meters, "too-slow");
    groups = meters.amounts("gilmok_documents_group_writes", "Writes that one commit covers.");
    commits = meters.seconds("gilmok_documents_commit_seconds", "One commit, with its fsync.");
    wait = new WaitMeter(meters, "documents-commit");
    meters.gauge(
        "gilmok_documents_queue_writes", "Writes that wait for the next commit.", queue::size);
    meters.gauge("gilmok_documents_queue_writes_max", "Its bound.", config::queueMax);
    thread = BackgroundThread.lasting("documents-writer", this::work);
  }

  static Counter busy(Meters meters, String cause) {
    return meters.counter(
        "gilmok_documents_busy_total",
        "Reads and writes refused: a queue was full or a timeout passed.",
        "cause",
        cause);
  }

  void start() {
    thread.start();
  }

  <T> @Nullable T write(SqliteWork<T> work) throws IOException, InterruptedException {
    if (isClosing()) {
      throw DocumentsBusy.CLOSED;
    }
    SqliteWrite<T> write = new SqliteWrite<>(work);
    if (!queue.offer(write)) {
      queueFull.increment();
      throw DocumentsBusy.QUEUE_FULL;
    }
    if (isGathering && queue.size() >= CROWD) {
      LockSupport.unpark(thread);
    }
    if (isClosing() && queue.remove(write)) { // the thread may not look at the queue again
      throw DocumentsBusy.CLOSED;
    }
    long began = wait.begin();
    try {
      return write.await(timeout.toNanos());
    } catch (DocumentsBusy busy) {
      tooSlow.increment();
      throw busy;
    } finally {
      wait.end(began);
    }
  }

  /**
   * Refuses new writes, finishes those that wait, and ends. Returns whether it has within {@code
   * patience}.
   */
  boolean close(Duration patience) throws InterruptedException {
    closing.countDown();
    boolean _ = queue.offer(SqliteWrite.none());
    LockSupport.unpark(thread);
    return thread.join(patience);
  }

  /** Closes the connection. Call it after the thread and all other connections have ended. */
  void release() throws SQLException {
    SqliteSession last = session;
    if (last != null) {
      last.close();
    }
  }

  /** Makes the writer copy the rest of the log; writes wait so long for the log's readers. */
  void moveRest(Duration patience) {
    restPatience = patience;
    boolean _ = queue.offer(SqliteWrite.none());
  }

  /** Has the whole file written anew, between two groups of writes. Blocks until it is. */
  void rewrite() throws IOException, InterruptedException {
    rewriting.ask(() -> !isClosing() && (queue.offer(SqliteWrite.none()) || !queue.isEmpty()));
  }

  /** Whether it is still to try that. Other checkpoints would be in its way. */
  boolean isToMoveRest() {
    return restPatience != null;
  }

  /** Fired after each commit, whatever became of its callers. */
  WakeSignals committed() {
    return committed;
  }

  /** Why nothing can be written, in words for the operator; null while writing works. */
  @Nullable String fault() {
    String known = fault;
    long seconds = (System.nanoTime() - atWorkSinceNanos) / 1_000_000_000L;
    return known == null && isAtWork && seconds > timeout.toSeconds()
        ? "a commit has not come to its end for " + seconds + " s"
        : known;
  }

  /** The texts of the statements prepared on the present connection. */
  Set<String> prepared() {
    SqliteSession now = session;
    return now == null ? Set.of() : now.prepared();
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  private void work() {
    try {
      while (goesOn()) {
        // Goes on with the next group.
      }
    } catch (InterruptedException nobodyMay) {
      LOG.log(
          Level.ERROR, "the thread that writes documents has ended; restart the server", nobodyMay);
    } finally {
      endAll();
    }
  }

  /**
   * Runs one pass; false when the thread should end. No exception or error ends it, except an
   * interrupt.
   */
  private boolean goesOn() throws InterruptedException {
    try {
      return pass();
    } catch (RuntimeException | Error bug) { // a bug in this thread, not in a write
      fault = "cannot be written: " + bug.getClass().getName();
      group.forEach(write -> write.fail(bug));
      group.forEach(SqliteWrite::done);
      group.clear();
      boolean _ = closing.await(PAUSE_MILLIS_MAX, TimeUnit.MILLISECONDS);
      return true;
    }
  }

  /** Writes one group; false when the thread should end. */
  private boolean pass() throws InterruptedException {
    gather();
    long rest = isClosing() ? 0 : fault == null ? IDLE_MILLIS : RETRY_MILLIS;
    SqliteWrite<?> first = queue.poll(rest, TimeUnit.MILLISECONDS);
    if (first == null && isClosing()) {
      return false;
    }
    if (first != null) {
      group.add(first);
      queue.drainTo(group, GROUP_MAX - 1);
      group.removeIf(write -> !write.take());
      fromNanos = System.nanoTime() + (group.size() > 1 ? intervalNanos : 0);
    }
    if (!group.isEmpty() || fault != null) {
      writeGroup();
    }
    Duration patience = restPatience;
    if (patience != null) { // after the callers were woken, so that only later writes wait for it
      beginLogAnew(patience);
      restPatience = null;
    }
    rewriting.runIfAsked();
    return true;
  }

  /**
   * After a group of several, sleeps until the commit interval is over: what comes meanwhile wakes
   * nobody and shares a commit. A crowd is not made to wait.
   */
  private void gather() {
    isGathering = true;
    long left = fromNanos - System.nanoTime();
    while (left > 0 && queue.size() < CROWD && !isClosing()) {
      LockSupport.parkNanos(this, left);
      left = fromNanos - System.nanoTime();
    }
    isGathering = false;
  }

  /**
   * Writes a group: each write by itself, all in one commit. An empty group tests whether writing
   * works.
   */
  private void writeGroup() throws InterruptedException {
    atWorkSinceNanos = System.nanoTime();
    isAtWork = true;
    Throwable failure = null;
    try {
      commitGroup();
    } catch (SQLException | IOException | RuntimeException | Error e) {
      failure = e; // on any failure the callers are woken and this thread goes on
    }
    isAtWork = false;
    if (failure != null) {
      SQLException reason = new SQLException(reason(failure), failure);
      group.forEach(write -> write.fail(reason));
    }
    group.forEach(SqliteWrite::done);
    if (!group.isEmpty()) {
      committed.fire(); // after a failure, too: a commit that failed may be on disk
    }
    group.clear();
    if (failure == null) {
      succeeded();
    } else {
      failed(failure);
    }
  }

  private void commitGroup() throws SQLException, IOException {
    SqliteSession current = session();
    current.begin();
    if (!isNameForced) { // the log exists now, and holds nothing of this group yet
      source.folder().force();
      isNameForced = true;
    }
    for (SqliteWrite<?> write : group) {
      write.runAlone(current);
    }
    if (group.isEmpty()) {
      current.touch();
    }
    long began = System.nanoTime();
    current.commit();
    if (!group.isEmpty()) {
      commits.record(System.nanoTime() - began);
      groups.record(group.size());
    }
  }

  private SqliteSession session() throws IOException, SQLException {
    SqliteSession current = session;
    if (current == null) {
      isNameForced = false;
      current = source.writer();
      session = current;
    }
    return current;
  }

  private void succeeded() {
    pauseMillis = PAUSE_MILLIS_MIN;
    if (fault != null) {
      fault = null;
      LOG.log(Level.INFO, "documents can be written again");
    }
  }

  /** Handles a failed group: nothing of it is written, and the connection's state is unknown. */
  private void failed(Throwable why) throws InterruptedException {
    SqliteSession last = session;
    session = null;
    if (last != null) {
      last.closeQuietly();
    }
    if (fault == null) {
      String text = source.file() + " cannot be written, tried again until it works: ";
      boolean isBug = why instanceof RuntimeException || why instanceof Error;
      LOG.log(Level.ERROR, text + reason(why), isBug ? why : null);
    }
    fault = "cannot be written: " + reason(why);
    boolean _ = closing.await(pauseMillis, TimeUnit.MILLISECONDS);
    pauseMillis = Math.min(2 * pauseMillis, PAUSE_MILLIS_MAX);
  }

  private static String reason(Throwable why) {
    return why.getMessage() == null ? why.getClass().getName() : why.getMessage();
  }

  /** Tries to restart the log. A long read can prevent it; it is then tried again later. */
  private void beginLogAnew(Duration patience) {
    SqliteSession current = session;
    if (current == null) {
      return;
    }
    try {
      current.patience(patience);
      current.checkpoint(SqliteWal.Mode.RESTART);
      current.patience(source.writersPatience());
    } catch (SQLException | RuntimeException e) { // tried again at the next look at the log
      LOG.log(
          Level.WARNING,
          "SQLite''s log cannot restart and grows; nothing is lost: {0}",
          e.getMessage());
      session = null;
      current.closeQuietly();
    }
  }

  /** Fails all waiting writes: nothing of them was written. */
  private void endAll() {
    closing.countDown();
    queue.drainTo(group);
    for (SqliteWrite<?> write : group) {
      write.fail(DocumentsBusy.CLOSED);
      write.done();
    }
  }
}
