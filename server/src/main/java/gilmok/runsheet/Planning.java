package gilmok.runsheet;

import gilmok.http.Exchange;
import gilmok.http.Refusal;
import gilmok.observe.Meters;
import gilmok.runsheet.RunSheetMeters.Outcome;
import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.Problem;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the routes and the planners: each request on a virtual thread, a bounded number
 * under way, a few at a time planned, in the order in which they came. Who has waited for as long
 * as its plan may take, and who comes when all places are taken, is refused; a request whose sender
 * goes away is given up. Thread-safe.
 */
final class Planning {
  private static final Logger LOG = System.getLogger("gilmok.runsheet");
  private static final long LOOK_NANOS = 2_000_000L;
  private static final long QUIET_NANOS = 10_000_000_000L;

  private final Planners planners;
  private final RunSheetMeters meters;
  private final int workersMax;
  private final int underWayMax;
  private final Semaphore workers;
  private final AtomicInteger underWay = new AtomicInteger();
  private volatile boolean stopping;
  private volatile long quietUntil = System.nanoTime();

  /** Reads a caller's request, has it planned, and says how to answer. */
  interface Work {
    Answer run(Caller caller) throws IOException, InterruptedException;
  }

  Planning(RunSheetConfig config, Planners planners, RunSheetMeters meters) {
    this.planners = planners;
    this.meters = meters;
    workersMax = config.workers();
    underWayMax = config.workers() + config.queueMax();
    workers = new Semaphore(workersMax, true);
  }

  /** Shows how much is under way. */
  void watch(Meters shown) {
    shown.gauge("gilmok_run_sheets_under_way", "Requests for run sheets under way.", underWay::get);
    shown.gauge(
        "gilmok_run_sheets_under_way_max",
        "The bound of gilmok_run_sheets_under_way.",
        () -> underWayMax);
    shown.gauge(
        "gilmok_run_sheets_waiting", "Requests that wait for a worker.", workers::getQueueLength);
    shown.gauge(
        "gilmok_run_sheets_planned_now",
        "Plans that are being made.",
        () -> workersMax - workers.availablePermits());
    shown.gauge(
        "gilmok_run_sheets_planned_now_max",
        "The bound of gilmok_run_sheets_planned_now.",
        () -> workersMax);
    shown.counter(
        "gilmok_run_sheets_restarts_total",
        "How often the process of planners had to be started again.",
        planners::restarts);
  }

  /** Answers a request with what work comes to, or at once when there is no place for it. */
  void ask(Exchange exchange, Work work) {
    if (stopping) {
      exchange.refuse(Refusal.STOPPING);
    } else if (underWay.incrementAndGet() > underWayMax) {
      underWay.decrementAndGet();
      meters.became(Outcome.FULL);
      exchange.refuse(Refusal.BUSY);
    } else {
      Caller caller = new Caller();
      exchange.whenGone(caller::leave);
      Thread.ofVirtual().name("gilmok-run-sheets").start(() -> answer(exchange, caller, work));
    }
  }

  private void answer(Exchange exchange, Caller caller, Work work) {
    Answer answer = new Answer.Plain(Refusal.BROKEN);
    try {
      answer = work.run(caller);
    } catch (IOException failed) {
      meters.became(Outcome.FAILED);
      complain(failed);
      answer = Answer.BUSY;
    } catch (InterruptedException gone) {
      meters.became(Outcome.ABANDONED);
      answer = Answer.BUSY;
    } catch (RuntimeException bug) {
      meters.became(Outcome.FAILED);
      LOG.log(Level.ERROR, "a request for a run sheet failed", bug);
    } finally {
      underWay.decrementAndGet();
    }
    answer.send(exchange);
  }

  /**
   * Has a plan made as soon as it is its turn; null when that was not in time.
   *
   * @param untilNanos when the best found so far is wanted, as {@link System#nanoTime} has it
   */
  @Nullable Plan plan(Caller caller, Problem problem, long untilNanos)
      throws IOException, InterruptedException {
    caller.beginToWait();
    try {
      long began = System.nanoTime();
      if (!workers.tryAcquire(untilNanos - began, TimeUnit.NANOSECONDS)) {
        meters.became(Outcome.WAITED);
        return null;
      }
      try {
        long turn = System.nanoTime();
        meters.waited(turn - began);
        Plan plan = planners.plan(problem, untilNanos);
        meters.planned(System.nanoTime() - turn);
        meters.became(plan.optimal() ? Outcome.OPTIMAL : Outcome.UNPROVEN);
        return plan;
      } finally {
        workers.release();
      }
    } finally {
      caller.endToWait();
    }
  }

  /** Says that planning does not work, but not again for a while. */
  private void complain(IOException why) {
    long now = System.nanoTime();
    if (now - quietUntil >= 0) {
      quietUntil = now + QUIET_NANOS;
      LOG.log(Level.WARNING, "run sheets cannot be planned: {0}", why.getMessage());
    }
  }

  /** Takes nothing new, waits for what is under way, and ends the planners. */
  void drain(Duration patience) throws InterruptedException {
    stopping = true;
    long until = System.nanoTime() + patience.toNanos();
    while (underWay.get() > 0 && System.nanoTime() - until < 0) {
      LockSupport.parkNanos(LOOK_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
    planners.end();
  }
}
