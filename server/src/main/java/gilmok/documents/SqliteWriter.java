package gilmok.documents;

import gilmok.background.BackgroundThread;
import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
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
import org.jspecify.annotations.Nullable;

/**
 * The one thread that writes, and the bounded queue before it.
 *
 * <p><b>After a failure.</b> SQLite may have rolled back the transaction or not, and its driver has
 * closed the statement that failed, {@code COMMIT} and {@code ROLLBACK} too. So a connection on
 * which a group has failed is closed, which rolls back, and another is opened for the next group,
 * after a pause. That is right after a failed fsync as well: SQLite counts nothing of a failed
 * commit as written, and the next one writes the same place of its log again before it forces it.
 * While writing fails and nobody writes, the thread tries it once a second by itself.
 *
 * <p>Thread-safe but for what is said to be the writer's.
 */
final class SqliteWriter {
  /** Most writes that share a commit. */
  static final int GROUP_MAX = 1024;

  private static final System.Logger LOG = System.getLogger(SqliteWriter.class.getName());
  private static final long LOOK_MILLIS = 1_000;
  private static final long PAUSE_MILLIS_MIN = 10;
  private static final long PAUSE_MILLIS_MAX = 1_000;
  private static final Duration READERS_PATIENCE = Duration.ofMillis(10);

  private final SqliteSource source;
  private final ArrayBlockingQueue<SqliteWrite<?>> queue;
  private final Duration timeout;
  private final Counter queueFull;
  private final Counter tooSlow;
  private final Histogram groups;
  private final Histogram commits;
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);

  /** The writer's: what shares the next commit. */
  private final List<SqliteWrite<?>> group = new ArrayList<>(GROUP_MAX);

  /** The writer's: whether the name of SQLite's log, as this connection found or made it, lasts. */
  private boolean isNameForced;

  /** The writer's: how long it waits after the next failure. */
  private long pauseMillis = PAUSE_MILLIS_MIN;

  /** Changed by the writer alone; null when the last one has failed. */
  private volatile @Nullable SqliteSession session;

  private volatile @Nullable String fault;
  private volatile boolean isAtWork;
  private volatile long atWorkSinceNanos;
  private volatile boolean restToMove;

  SqliteWriter(SqliteSource source, SqliteSession first, SqliteConfig config, Meters meters) {
    this.source = source;
    session = first;
    queue = new ArrayBlockingQueue<>(config.queueMax());
    timeout = config.timeout();
    queueFull = busy(meters, "queue-full");
    tooSlow = busy(meters, "too-slow");
    groups = meters.amounts("gilmok_documents_group_writes", "Writes that one commit covers.");
    commits = meters.seconds("gilmok_documents_commit_seconds", "One commit, with its fsync.");
    meters.gauge(
        "gilmok_documents_queue_writes", "Writes that wait for the next commit.", queue::size);
    meters.gauge("gilmok_documents_queue_writes_max", "Its bound.", config::queueMax);
    thread = BackgroundThread.lasting("documents-writer", this::work);
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
    if (isClosing()) {
      throw DocumentsBusy.CLOSED;
    }
    SqliteWrite<T> write = new SqliteWrite<>(work);
    if (!queue.offer(write)) {
      queueFull.increment();
      throw DocumentsBusy.QUEUE_FULL;
    }
    if (isClosing() && queue.remove(write)) { // the thread may have looked for the last time
      throw DocumentsBusy.CLOSED;
    }
    try {
      return write.await(timeout.toNanos());
    } catch (DocumentsBusy busy) {
      tooSlow.increment();
      throw busy;
    }
  }

  /**
   * Takes no more, writes what waits, ends. Returns when the thread has ended or time is over.
   *
   * @return whether it has ended
   */
  boolean close(Duration patience) throws InterruptedException {
    closing.countDown();
    queue.offer(new SqliteWrite<>(_ -> true)); // so that it looks at once
    return thread.join(patience);
  }

  /** Closes the connection; after the end of the thread and of every other connection. */
  void release() throws SQLException {
    SqliteSession last = session;
    if (last != null) {
      last.close();
    }
  }

  /** Has what little is left in SQLite's log of writes moved into the file, by the writer. */
  void moveRest() {
    restToMove = true;
  }

  /** Why nothing can be written, for the operator; null while writing works. */
  @Nullable String fault() {
    String known = fault;
    long seconds = (System.nanoTime() - atWorkSinceNanos) / 1_000_000_000L;
    return known == null && isAtWork && seconds > timeout.toSeconds()
        ? "a commit has not come to its end for " + seconds + " s"
        : known;
  }

  /** The texts of the statements that it has prepared on the connection it has now. */
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
        // The next group.
      }
    } catch (InterruptedException nobodyMay) {
      LOG.log(
          Level.ERROR, "the thread that writes documents has ended; restart the server", nobodyMay);
    } finally {
      endAll();
    }
  }

  /** Whether there is more to come. Nothing that is thrown ends the thread. */
  private boolean goesOn() throws InterruptedException {
    try {
      return pass();
    } catch (RuntimeException | Error bug) { // of this thread itself: what it runs is seen to
      fault = "cannot be written: " + bug.getClass().getName();
      group.forEach(write -> write.fail(bug));
      group.forEach(SqliteWrite::done);
      group.clear();
      boolean _ = closing.await(PAUSE_MILLIS_MAX, TimeUnit.MILLISECONDS);
      return true;
    }
  }

  /** Writes what waits; whether there is more to come. */
  private boolean pass() throws InterruptedException {
    long patience = isClosing() ? 0 : LOOK_MILLIS;
    SqliteWrite<?> first = queue.poll(patience, TimeUnit.MILLISECONDS);
    if (first == null && isClosing()) {
      return false;
    }
    if (first != null) {
      group.add(first);
      queue.drainTo(group, GROUP_MAX - 1);
      group.removeIf(write -> !write.take());
    }
    if (!group.isEmpty() || fault != null) {
      writeGroup();
    }
    if (restToMove) { // after the answers: only what comes next waits for it
      restToMove = false;
      beginLogAnew();
    }
    return true;
  }

  /** Writes a group: each by itself, all durable at once. An empty one tries whether that works. */
  private void writeGroup() throws InterruptedException {
    atWorkSinceNanos = System.nanoTime();
    isAtWork = true;
    Throwable failure = null;
    try {
      commitGroup();
    } catch (SQLException | IOException | RuntimeException | Error e) {
      failure = e; // whatever it is: those who wait are answered, and this thread goes on
    }
    isAtWork = false;
    if (failure != null) {
      SQLException reason = new SQLException(reason(failure), failure);
      group.forEach(write -> write.fail(reason));
    }
    group.forEach(SqliteWrite::done);
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
    if (!isNameForced) { // the log is there now, and nothing of this group is in it
      source.folder().force();
      isNameForced = true;
    }
    for (SqliteWrite<?> write : group) {
      run(write, current);
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

  /** Nothing of the group is written; what state the connection is in, nobody knows. */
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

  /** Not at any price: who reads for long keeps the log as it is, until it is tried again. */
  private void beginLogAnew() {
    SqliteSession current = session;
    if (current == null) {
      return;
    }
    try {
      current.patience(READERS_PATIENCE);
      current.checkpoint(SqliteWal.Mode.RESTART);
      current.patience(source.writersPatience());
    } catch (SQLException | RuntimeException e) { // tried again when the log is looked at next
      LOG.log(
          Level.WARNING,
          "SQLite''s log cannot restart and grows; nothing is lost: {0}",
          e.getMessage());
      session = null;
      current.closeQuietly();
    }
  }

  /**
   * Runs one in a savepoint; what fails is taken back alone. The driver may have closed a statement
   * that others need too, and left one that reads: all are prepared anew.
   *
   * @throws SQLException when it cannot be taken back: then none of the group is written
   */
  private static void run(SqliteWrite<?> write, SqliteSession session) throws SQLException {
    session.prepare("SAVEPOINT one").execute();
    try {
      write.run(session);
    } catch (SQLException | RuntimeException | Error e) {
      write.fail(e);
      session.closeStatements();
      session.prepare("ROLLBACK TO one").execute();
    }
    session.prepare("RELEASE one").execute();
  }

  /** Whoever waits still is told that nothing was written. */
  private void endAll() {
    closing.countDown();
    queue.drainTo(group);
    for (SqliteWrite<?> write : group) {
      write.fail(DocumentsBusy.CLOSED);
      write.done();
    }
  }
}
