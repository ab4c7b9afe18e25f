package gilmok.observe;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/**
 * Takes log records without ever waiting; one thread writes them. When the output is slower than
 * the log, records that do not fit are dropped and counted, and a line reports how many.
 * Thread-safe.
 */
final class LogQueue extends Handler {
  private static final Duration FLUSH_PATIENCE = Duration.ofSeconds(1);
  private static final List<String> LEVELS = List.of("ERROR", "WARN", "INFO", "DEBUG", "TRACE");

  private final OutputStream out;
  private volatile Formatter format = new LogLine();
  private final ArrayBlockingQueue<LogRecord> waiting;
  private final AtomicLongArray logged = new AtomicLongArray(LEVELS.size());

  /** Those dropped since the last report of it. */
  private final AtomicLong dropped = new AtomicLong();

  private final AtomicLong droppedInAll = new AtomicLong();
  private final Thread writer;

  /** A mark in the queue; it is passed when everything before it is written. */
  private static final class Mark extends LogRecord {
    private static final long serialVersionUID = 1L;
    private final transient CountDownLatch passed = new CountDownLatch(1);

    Mark() {
      super(Level.OFF, "");
    }
  }

  /**
   * A queue whose thread is not started yet.
   *
   * @param linesMax how many lines can wait
   */
  LogQueue(OutputStream out, int linesMax) {
    this.out = out;
    waiting = new ArrayBlockingQueue<>(linesMax);
    writer = Thread.ofPlatform().daemon().name("gilmok-log-lines").unstarted(this::write);
  }

  LogQueue start() {
    writer.start();
    return this;
  }

  /** Sets the format of the lines that are not written yet. */
  void lines(Formatter wanted) {
    format = wanted;
  }

  /** Shows how many lines there were. */
  void show(Meters meters) {
    for (int i = 0; i < LEVELS.size(); i++) {
      int level = i;
      meters.counter(
          "gilmok_log_lines_total",
          "Lines of the server's log, those dropped included.",
          () -> logged.get(level),
          "level",
          LEVELS.get(i).toLowerCase(Locale.ROOT));
    }
    meters.counter(
        "gilmok_log_lines_dropped_total",
        "Lines of the server's log that were not written, as its output was too slow or failed.",
        droppedInAll::get);
  }

  @Override
  public void publish(LogRecord record) {
    if (!isLoggable(record)) {
      return;
    }
    logged.incrementAndGet(LEVELS.indexOf(LogLine.name(record.getLevel())));
    boolean isOneOfMany = record instanceof FieldLog.FieldRecord;
    if ((isOneOfMany && waiting.remainingCapacity() <= waiting.size()) || !waiting.offer(record)) {
      drop();
    }
  }

  private void drop() {
    dropped.incrementAndGet();
    droppedInAll.incrementAndGet();
  }

  /** Waits until everything before is written, but at most a second. */
  @Override
  public void flush() {
    Mark mark = new Mark();
    long end = System.nanoTime() + FLUSH_PATIENCE.toNanos();
    try {
      if (waiting.offer(mark, FLUSH_PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
        mark.passed.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Flushes, and ends the thread. */
  @Override
  public void close() {
    if (writer.isAlive()) {
      flush();
      writer.interrupt();
    }
  }

  private void write() {
    try {
      while (true) {
        write(waiting.take());
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /**
   * Writes a record. A line that cannot be written, for instance because the disk is full, is
   * dropped: there may be room for the next.
   */
  private void write(LogRecord record) {
    try {
      if (record instanceof Mark) {
        reportDropped();
        out.flush();
      } else {
        line(record);
      }
      if (waiting.isEmpty()) {
        reportDropped();
        out.flush();
      }
    } catch (IOException | RuntimeException | Error _) { // this thread must go on
      drop();
    } finally {
      if (record instanceof Mark mark) {
        mark.passed.countDown();
      }
    }
  }

  private void reportDropped() throws IOException {
    long lines = dropped.getAndSet(0);
    if (lines > 0) {
      LogRecord record =
          new LogRecord(Level.WARNING, lines + " lines were dropped: the log's output is too slow");
      record.setLoggerName("gilmok.observe");
      line(record);
    }
  }

  private void line(LogRecord record) throws IOException {
    out.write(formatted(record).getBytes(StandardCharsets.UTF_8));
  }

  /** Formats a record. A parameter's toString can throw, which must not end the log. */
  @SuppressWarnings("CatchingUnchecked")
  private String formatted(LogRecord record) {
    try {
      return format.format(record);
    } catch (RuntimeException | StackOverflowError e) {
      return "a line of " + record.getLoggerName() + " cannot be shown: " + e.getClass() + '\n';
    }
  }
}
