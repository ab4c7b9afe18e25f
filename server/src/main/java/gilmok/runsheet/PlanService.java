package gilmok.runsheet;

import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.Refusal;
import gilmok.observe.Meters;
import gilmok.runsheet.RunSheetMeters.Outcome;
import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.PlanProblem;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the routes and the planners: each request on a virtual thread, a bounded number
 * under way, a few at a time planned, in the order in which they came. Who has waited for as long
 * as its plan may take, and who comes when all places are taken, is refused; a request whose sender
 * goes away is given up. Thread-safe.
 */
final class PlanService {
  private final Planners planners;
  private final RunSheetMeters meters;
  private final int workersMax;
  private final Semaphore workers;
  private final Offload offload;

  /** Reads a caller's request, has it planned, and says how to answer. */
  interface Work {
    Answer run(PlanCaller caller) throws IOException, InterruptedException;
  }

  PlanService(RunSheetConfig config, Planners planners, RunSheetMeters meters, Offloads offloads) {
    this.planners = planners;
    this.meters = meters;
    workersMax = config.workers();
    workers = new Semaphore(workersMax, true);
    int inFlightMax = config.workers() + config.queueMax();
    offload = offloads.of("run_sheets", "run sheets cannot be planned", inFlightMax, null);
  }

  /** Shows how much is under way. */
  void watch(Meters shown) {
    shown.gauge(
        "gilmok_run_sheets_waiting", "Requests that wait for a worker.", workers::getQueueLength);
    shown.gauge(
        "gilmok_run_sheets_planned_now",
        "Plans that are being made.",
        () -> workersMax - workers.availablePermits(),
        () -> workersMax);
    shown.counter(
        "gilmok_run_sheets_restarts_total",
        "How often the process of planners had to be started again.",
        planners::restarts);
  }

  /** Answers a request with what work comes to, or at once when there is no place for it. */
  void ask(Exchange exchange, Work work) {
    PlanCaller caller = new PlanCaller();
    exchange.whenGone(caller::leave);
    if (!offload.ask(exchange, Offload.PLAIN, () -> answer(caller, work))) {
      meters.became(Outcome.FULL);
    }
  }

  private Answer answer(PlanCaller caller, Work work) throws IOException {
    @Nullable Outcome failed = Outcome.FAILED;
    try {
      Answer answer = work.run(caller);
      failed = null;
      return answer;
    } catch (InterruptedException gone) {
      failed = Outcome.ABANDONED;
      return Answer.of(Refusal.BUSY);
    } finally {
      if (failed != null) {
        meters.became(failed);
      }
    }
  }

  /**
   * Has a plan made as soon as it is its turn; null when that was not in time.
   *
   * @param untilNanos when the best found so far is wanted, as {@link System#nanoTime} has it
   */
  @Nullable Plan plan(PlanCaller caller, PlanProblem problem, long untilNanos)
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
        meters.waits().record(turn - began);
        Plan plan = planners.plan(problem, untilNanos);
        meters.plans().record(System.nanoTime() - turn);
        meters.became(plan.optimal() ? Outcome.OPTIMAL : Outcome.UNPROVEN);
        return plan;
      } finally {
        workers.release();
      }
    } finally {
      caller.endToWait();
    }
  }

  /** Takes nothing new, and waits for what is under way. */
  void drain(Duration patience) throws InterruptedException {
    offload.drain(patience);
  }
}
