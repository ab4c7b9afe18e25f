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
 * Admits requests to the planners. Each request runs on a virtual thread; a bounded number is in
 * flight, and a few of them are planned at a time, in order of arrival. A request is refused when
 * all places are taken, or when its budget is used up while it waits. A request whose sender
 * disconnects is abandoned. Thread-safe.
 */
final class PlanService {
  private final Planners planners;
  private final RunSheetMeters meters;
  private final int workersMax;
  private final Semaphore workers;
  private final Offload offload;

  /** The work of one request: parses it, has it planned and returns the response. */
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

  /** Registers the metrics of requests in flight. */
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
        "How often the planners' process was restarted.",
        planners::restarts);
  }

  /**
   * Answers a request with the result of the work, or refuses it at once when all places are taken.
   */
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
   * Makes a plan when it is the request's turn; null if its turn did not come in time.
   *
   * @param untilNanos when the best plan found so far is wanted, in nanoseconds of {@link
   *     System#nanoTime}
   * @throws IOException when planning failed
   * @throws InterruptedException when the caller has disconnected
   */
  @Nullable Plan plan(PlanCaller caller, PlanProblem problem, long untilNanos)
      throws IOException, InterruptedException {
    caller.beginToWait();
    long asked = System.nanoTime();
    long began = meters.threads().begin();
    try {
      if (!workers.tryAcquire(untilNanos - asked, TimeUnit.NANOSECONDS)) {
        meters.became(Outcome.WAITED);
        return null;
      }
      try {
        long turn = System.nanoTime();
        meters.waits().record(turn - asked);
        Plan plan = planners.plan(problem, untilNanos);
        meters.plans().record(System.nanoTime() - turn);
        meters.became(plan.optimal() ? Outcome.OPTIMAL : Outcome.UNPROVEN);
        return plan;
      } finally {
        workers.release();
      }
    } finally {
      meters.threads().end(began);
      caller.endToWait();
    }
  }

  /** Accepts no new requests and waits for those in flight. */
  void drain(Duration patience) throws InterruptedException {
    offload.drain(patience);
  }
}
