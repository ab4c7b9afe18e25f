package gilmok.accept;

import gilmok.background.BackgroundThread;
import gilmok.doctor.Check;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs trials one after the other, each within its time, and lets each clean up, whatever happened
 * to it: it failed, it took too long, or the process was told to end (SIGINT, SIGTERM). Used by one
 * thread.
 */
final class Acceptance implements AutoCloseable {
  /** How long cleaning up may take, apart from the trial. */
  private static final Duration CLEANING = Duration.ofSeconds(30);

  /** How long a process that was told to end waits for it, and for the page. */
  private static final Duration ENDING = CLEANING.plusSeconds(15);

  private final Duration timeout;
  private final Duration cleaning;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook = BackgroundThread.daemon("accept-stop", this::end);
  private @Nullable Trying now;
  private boolean isStopped;

  /**
   * A trial on its thread. Interrupted only while it tries, never while it cleans up, unless that
   * takes too long, too.
   */
  private static final class Trying {
    private final EngineTrial trial;
    private final Findings findings;
    private final Thread thread;
    private boolean isCleaning;
    private volatile boolean isLate;

    Trying(EngineTrial trial, Findings findings) {
      this.trial = trial;
      this.findings = findings;
      thread = BackgroundThread.startDaemon("accept-" + trial.engine(), this::run);
    }

    private void run() {
      try {
        trial.run(findings);
      } catch (IOException failed) {
        findings.add(Check.of(findings.step(), Findings.told(failed), false, ""));
      } catch (InterruptedException interrupted) {
        if (!isLate) {
          findings.notTried("the rest", "interrupted while: " + findings.step(), "");
        }
      } catch (RuntimeException bug) {
        findings.add(Check.of(findings.step(), "a bug of this program: " + bug, false, ""));
      } finally {
        clean();
      }
    }

    private void clean() {
      synchronized (this) {
        isCleaning = true;
        boolean _ = Thread.interrupted();
      }
      try {
        findings.add(Check.of("cleaned up", trial.cleanUp(), true, ""));
      } catch (IOException | RuntimeException failed) {
        left(Findings.told(failed));
      } catch (InterruptedException late) {
        left("it took too long");
      }
    }

    private void left(String why) {
      findings.add(
          Check.of(
              "cleaned up", why, false, "remove it by hand, if it is there: " + trial.writes()));
    }

    synchronized void interrupt() {
      if (!isCleaning) {
        thread.interrupt();
      }
    }
  }

  /**
   * @param timeout how long each trial may take
   */
  Acceptance(Duration timeout) {
    this(timeout, CLEANING);
  }

  Acceptance(Duration timeout, Duration cleaning) {
    this.timeout = timeout;
    this.cleaning = cleaning;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Runs these trials; one that was stopped before its turn is not tried. */
  List<Findings> run(List<EngineTrial> trials) throws InterruptedException {
    List<Findings> all = new ArrayList<>();
    for (EngineTrial trial : trials) {
      Findings findings = new Findings(trial.engine());
      all.add(findings);
      Trying trying = begin(trial, findings);
      if (trying == null) {
        findings.notTried("everything", "interrupted before it began", "");
      } else {
        await(trying);
      }
    }
    return all;
  }

  private synchronized @Nullable Trying begin(EngineTrial trial, Findings findings) {
    now = isStopped ? null : new Trying(trial, findings);
    return now;
  }

  private void await(Trying trying) throws InterruptedException {
    if (trying.thread.join(timeout)) {
      return;
    }
    trying.isLate = true;
    trying.findings.add(
        Check.of(
            "ends in time",
            "not within %d s; it hangs in: %s"
                .formatted(timeout.toSeconds(), trying.findings.step()),
            false,
            "look why the engine does not answer; or give it longer by --timeout"));
    trying.interrupt();
    if (!trying.thread.join(cleaning)) {
      trying.thread.interrupt();
      if (!trying.thread.join(Duration.ofSeconds(2))) {
        trying.left("it does not end");
      }
    }
  }

  /** Ends what is being tried, and tries nothing more. */
  synchronized void stop() {
    isStopped = true;
    if (now != null) {
      now.interrupt();
    }
  }

  /** The process was told to end: cleans up first, and lets the page be printed. */
  private void end() {
    stop();
    try {
      boolean _ = ended.await(ENDING.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    ended.countDown();
    try {
      boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException stopping) {
      // The hook is running now, and cannot be removed.
    }
  }
}
