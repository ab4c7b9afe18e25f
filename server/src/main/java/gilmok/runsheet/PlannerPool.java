package gilmok.runsheet;

import gilmok.background.BackgroundThread;
import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.PlanProblem;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Makes plans in a child process. Planning thus cannot delay the threads of collecting or fill the
 * server's heap, and the scheduler gives it only processor time that is left over. When the process
 * ends it is restarted, each time after a longer pause, and its unfinished plans are tried once
 * more.
 */
final class PlannerPool implements Planners {
  private static final Logger LOG = System.getLogger("gilmok.runsheet");
  private static final long PAUSE_MIN_MILLIS = 50;
  private static final long PAUSE_MAX_MILLIS = 10_000;

  /** A process that has run this long did not end because of how it was started. */
  private static final Duration LONG_LIFE = Duration.ofMinutes(1);

  /** How overdue an answer may be before the process counts as hung. */
  private static final Duration HANGS_AFTER = Duration.ofMinutes(1);

  private final List<String> command;
  private final Duration hangsAfter;
  private final Thread keeper;
  private @Nullable PlannerClient client;
  private boolean closed;
  private final AtomicLong starts = new AtomicLong();

  private PlannerPool(List<String> command, Duration hangsAfter) {
    this.command = List.copyOf(command);
    this.hangsAfter = hangsAfter;
    keeper = BackgroundThread.daemon("run-sheets-child", this::keep);
  }

  /** Starts the first process, without waiting for it. */
  static PlannerPool start(List<String> command) {
    return start(command, HANGS_AFTER);
  }

  static PlannerPool start(List<String> command, Duration hangsAfter) {
    PlannerPool planners = new PlannerPool(command, hangsAfter);
    planners.keeper.start();
    return planners;
  }

  @Override
  public Plan plan(PlanProblem problem, long untilNanos) throws IOException, InterruptedException {
    try {
      return child(untilNanos).plan(problem, untilNanos);
    } catch (PlannerGone gone) {
      return child(untilNanos).plan(problem, untilNanos);
    }
  }

  @Override
  public long restarts() {
    return Math.max(0, starts.get() - 1);
  }

  /**
   * The process id; waits until the process is running.
   *
   * @throws IOException when it is not running in time
   */
  long pid(Duration patience) throws IOException, InterruptedException {
    return child(System.nanoTime() + patience.toNanos()).pid();
  }

  private synchronized PlannerClient child(long untilNanos)
      throws IOException, InterruptedException {
    while (client == null && !closed) {
      long left = untilNanos - System.nanoTime();
      if (left <= 0) {
        throw new IOException("there was no process of planners in time");
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    if (client == null) {
      throw new IOException("planning has ended");
    }
    return client;
  }

  private void keep() {
    try {
      long pause = PAUSE_MIN_MILLIS;
      while (!isClosed()) {
        long began = System.nanoTime();
        live();
        boolean lived = System.nanoTime() - began > LONG_LIFE.toNanos();
        pause = lived ? PAUSE_MIN_MILLIS : Math.min(2 * pause, PAUSE_MAX_MILLIS);
        rest(pause);
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs one process from its start to its end. */
  private void live() throws InterruptedException {
    PlannerClient one = null;
    String how = "";
    try {
      one = PlannerClient.start(command, hangsAfter);
      starts.incrementAndGet();
      if (hand(one)) {
        one.read();
      }
    } catch (IOException | RuntimeException | Error failed) {
      how = ": " + failed.getMessage();
    } finally {
      boolean _ = hand(null);
    }
    Integer code = one == null ? null : one.end();
    if (!isClosed()) {
      LOG.log(
          Level.WARNING,
          "the planners'' process ended with exit code {0}{1}; it is started again, its plans are"
              + " retried",
          code == null ? "unknown" : code.toString(),
          how);
    }
  }

  /** Gives callers a process, or none; false if the pool is closed. */
  private synchronized boolean hand(@Nullable PlannerClient one) {
    client = closed ? null : one;
    notifyAll();
    return !closed;
  }

  private synchronized void rest(long millis) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!closed && until - System.nanoTime() > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, until - System.nanoTime());
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /** Ends the process by closing its input, and waits for that for a short time. */
  @Override
  public void end() throws InterruptedException {
    PlannerClient last;
    synchronized (this) {
      closed = true;
      last = client;
      client = null;
      notifyAll();
    }
    if (last != null) {
      last.end();
    }
    keeper.join(Duration.ofSeconds(5));
  }
}
