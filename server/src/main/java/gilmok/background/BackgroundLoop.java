package gilmok.background;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A loop of background work: a named thread that repeats a pass until it is stopped. A pass that
 * fails is retried after a pause; see the package's page.
 *
 * <p>Thread-safe. {@link Work} is called by the loop's own thread alone.
 */
public final class BackgroundLoop {
  /** The longest pause after a failure. */
  public static final Duration PAUSE_MAX = Duration.ofSeconds(2);

  private static final Logger LOG = System.getLogger("gilmok.background");
  private static final long PAUSE_NANOS_MIN = 100_000_000L;

  /** A failure that lasts is logged again after this time. */
  private static final long SAID_NANOS = 60_000_000_000L;

  /** How long interrupted work may take to end. */
  private static final Duration INTERRUPTED_MAX = Duration.ofSeconds(1);

  private final String name;
  private final String what;
  private final boolean isNeeded;
  private final long sleepNanosMax;
  private final Work work;
  private final Thread thread;
  private final AtomicLong failures = new AtomicLong();
  private final SkippedItems skippedItems;
  private final WorkWatchdog watchdog = new WorkWatchdog();

  /** All was done, or nothing was due, until then. */
  private volatile long workedNanos = System.nanoTime();

  private volatile boolean isWoken;
  private volatile @Nullable Failure failure;
  private volatile @Nullable Failure partial;
  private volatile boolean stopping;
  private volatile boolean ended;

  /** Owned by the loop's thread. */
  private long pauseNanos = PAUSE_NANOS_MIN;

  private long saidNanos;

  /** The work of a loop. Called by its thread. */
  @FunctionalInterface
  public interface Work {
    /**
     * Runs one pass.
     *
     * @return nanoseconds until the next pass; 0 or less: at once. The next pass comes earlier
     *     after {@link BackgroundLoop#wake}, and after {@link BackgroundLoops#SLEEP_MAX}
     * @throws IOException on an outage: the pass is retried
     * @throws InterruptedException when the loop has to stop and its time is over
     */
    long pass() throws IOException, InterruptedException;

    /** Finishes after the last pass of a loop that was stopped. Called at most once. */
    default void end() throws IOException, InterruptedException {}
  }

  /**
   * Why a loop's work fails.
   *
   * @param reason for the operator
   * @param sinceNanos when the failure began, on {@link System#nanoTime}'s clock
   * @param isPartial whether the rest of its work goes on
   */
  public record Failure(String reason, long sinceNanos, boolean isPartial) {}

  /**
   * A loop that is not started yet.
   *
   * @param name of the loop in metrics and of its thread; {@code a-z} and dashes
   * @param what what does not work while it fails, for the operator, as in "positions stand still"
   * @param isNeeded whether a server is taken out of traffic while this loop fails
   * @param sleepMax the longest sleep
   */
  BackgroundLoop(String name, String what, boolean isNeeded, Duration sleepMax, Work work) {
    this.name = name;
    sleepNanosMax = sleepMax.toNanos();
    this.what = what;
    this.isNeeded = isNeeded;
    this.work = work;
    skippedItems = new SkippedItems(name);
    thread = BackgroundThread.daemon(name, this::run);
  }

  /** The loop's name in metrics, and its thread's name. */
  public String name() {
    return name;
  }

  /** What does not work while the loop fails. */
  public String what() {
    return what;
  }

  /** Whether a server is taken out of traffic while this loop fails. */
  public boolean isNeeded() {
    return isNeeded;
  }

  /** Why the work, or a part of it, fails; null while all of it works. */
  public @Nullable Failure failure() {
    Failure whole = failure;
    return whole == null ? partial : whole;
  }

  /** Whether the last pass did all its work and the thread still runs. */
  public boolean isUp() {
    return failure() == null && !ended;
  }

  /** Whether the thread has ended without being stopped. */
  public boolean hasEnded() {
    return ended && !stopping;
  }

  /** How many passes have failed. */
  public long failures() {
    return failures.get();
  }

  /** How many items were skipped because they cannot be processed. */
  public long skippedItems() {
    return skippedItems.count();
  }

  /**
   * Seconds since a pass last succeeded, without the time in which none was due: grows while passes
   * fail or one does not end.
   */
  public double ageSeconds() {
    return Math.max(0, System.nanoTime() - workedNanos) / 1e9;
  }

  /** How long the present pass has lasted, in seconds; 0 when there is none. */
  public double passSeconds() {
    return watchdog.seconds();
  }

  /** Starts the loop. Call it once. */
  public void start() {
    workedNanos = System.nanoTime();
    thread.start();
  }

  /**
   * Starts the next pass at once, but not before the pause after a failure is over. During a pass:
   * another one follows at once.
   */
  public void wake() {
    isWoken = true;
    LockSupport.unpark(thread);
  }

  /** Whether it was asked to stop. */
  public boolean isStopping() {
    return stopping;
  }

  /**
   * Reports that a part of the work fails while the rest goes on without a pause, as when a
   * snapshot finds no room. Called by the loop's work, which retries that part by itself.
   */
  public void partlyFailed(Throwable why) {
    failures.incrementAndGet();
    Failure before = partial;
    String reason = reason(why);
    partial = new Failure(reason, before == null ? System.nanoTime() : before.sinceNanos, true);
    if (before == null) {
      say(reason, why instanceof IOException ? null : why);
    }
  }

  /** Reports that this part works. Called by the loop's work. */
  public void partlyWorked() {
    Failure before = partial;
    if (before != null) {
      partial = null;
      worksAgain(before);
    }
  }

  /**
   * Reports an item that was skipped, because it cannot be processed while others can; it is
   * counted. The first few of a minute are named in the log; of the others, only their number and
   * the last one. Called by the loop's work.
   *
   * @param item its name, by which an operator finds it
   */
  public void skipped(String item, Throwable why) {
    skippedItems.add(item, why);
  }

  /**
   * Lets the pass finish and ends the loop; interrupts the pass after {@code patience}. A loop that
   * was never started ends at once.
   */
  public void stop(Duration patience) throws InterruptedException {
    stopping = true;
    LockSupport.unpark(thread);
    if (thread.getState() == Thread.State.NEW || thread == Thread.currentThread()) {
      return;
    }
    long millis = Math.max(1, patience.toMillis());
    if (!thread.join(Duration.ofMillis(millis))) {
      thread.interrupt();
      var _ = thread.join(INTERRUPTED_MAX);
    }
  }

  /** Lets the pass finish and ends the loop, without waiting for it. */
  void leave() {
    stopping = true;
    LockSupport.unpark(thread);
  }

  Thread thread() {
    return thread;
  }

  private void run() {
    try {
      while (!stopping) {
        attemptInAnyCase();
      }
      end();
    } finally {
      ended = true;
    }
  }

  /**
   * Runs an attempt. Even an error while a failure is logged or noted, as memory is short, ends no
   * loop.
   */
  private void attemptInAnyCase() {
    try {
      attempt();
    } catch (Throwable unsaid) {
      watchdog.end();
      pause(System.nanoTime() + PAUSE_MAX.toNanos());
    }
  }

  private void end() {
    try {
      work.end();
      skippedItems.nameTheRest(true);
    } catch (IOException cannot) {
      LOG.log(
          Level.WARNING,
          "{0} could not save its progress at the stop; the next start repeats some of it: {1}",
          name,
          cannot.getMessage());
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error bug) {
      LOG.log(Level.ERROR, "a bug in stopping " + name, bug);
    }
  }

  /** Runs one pass and waits for the next. */
  private void attempt() {
    try {
      isWoken = false; // before the pass, which may have looked already when somebody wakes
      long wait = pass();
      worked();
      skippedItems.nameTheRest(false);
      if (wait > 0) {
        sleep(Math.min(wait, sleepNanosMax));
      }
    } catch (IOException outage) {
      failedOrStopped(outage);
    } catch (InterruptedException interrupted) {
      if (!stopping) { // not by stop(): a failure like any other
        failed(interrupted, true);
      }
    } catch (RuntimeException | Error bug) {
      failed(bug, true);
    }
  }

  private void sleep(long nanos) {
    long until = System.nanoTime() + nanos;
    workedNanos = until;
    long left = nanos;
    while (left > 0 && !isWoken && !stopping) {
      park(left);
      left = until - System.nanoTime();
    }
    workedNanos = Math.min(until, System.nanoTime());
  }

  private long pass() throws IOException, InterruptedException {
    watchdog.begin();
    try {
      return work.pass();
    } finally {
      watchdog.end();
    }
  }

  private void worked() {
    workedNanos = System.nanoTime();
    pauseNanos = PAUSE_NANOS_MIN;
    Failure before = failure;
    if (before != null) {
      failure = null;
      worksAgain(before);
    }
  }

  private void worksAgain(Failure before) {
    long seconds = (System.nanoTime() - before.sinceNanos) / 1_000_000_000L;
    LOG.log(Level.INFO, "{0} works again after {1} s", name, seconds);
  }

  /** An outage of the last pass, as when its interrupt closes a file, is nothing to be mended. */
  private void failedOrStopped(IOException outage) {
    if (stopping) {
      LOG.log(
          Level.INFO,
          "{0} stopped in the middle of a pass, which the next start does again: {1}",
          name,
          reason(outage));
    } else {
      failed(outage, false);
    }
  }

  private void failed(Throwable why, boolean isBug) {
    failures.incrementAndGet();
    long now = System.nanoTime();
    Failure before = failure;
    long since = before == null ? now : before.sinceNanos;
    // First the step that allocates least: the failure must be visible even if nothing can be
    // logged.
    failure = new Failure(why.getClass().getName(), since, false);
    String reason = reason(why);
    failure = new Failure(reason, since, false);
    if (before == null || now - saidNanos >= SAID_NANOS) {
      saidNanos = now;
      say(reason, isBug ? why : null);
    }
    pause(now + pauseNanos);
    pauseNanos = Math.min(2 * pauseNanos, PAUSE_MAX.toNanos());
  }

  private void pause(long untilNanos) {
    long left = untilNanos - System.nanoTime();
    while (left > 0 && !stopping) {
      park(left);
      left = untilNanos - System.nanoTime();
    }
  }

  private void park(long nanos) {
    LockSupport.parkNanos(this, nanos);
    // An interrupt that does not come from stop() would make the next park return at once.
    boolean _ = !stopping && Thread.interrupted();
  }

  private static String reason(Throwable why) {
    return why.getMessage() == null ? why.getClass().getName() : why.getMessage();
  }

  private void say(String reason, @Nullable Throwable bug) {
    String text = name + ": " + what + ", retried until it works: " + reason;
    if (bug == null) {
      LOG.log(Level.WARNING, text);
    } else {
      LOG.log(Level.ERROR, text, bug);
    }
  }
}
