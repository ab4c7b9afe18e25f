package gilmok.runsheet;

import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.PlanProblem;
import java.io.IOException;

/** Makes plans, apart from the calling thread. Thread-safe. */
interface Planners {
  /**
   * Makes a plan. Blocks; interrupting the caller cancels the plan.
   *
   * @param untilNanos when the best plan found so far is wanted, in nanoseconds of {@link
   *     System#nanoTime}
   * @throws IOException when planning failed: a process died, or does not answer
   */
  Plan plan(PlanProblem problem, long untilNanos) throws IOException, InterruptedException;

  /** How often the planning process was restarted. */
  default long restarts() {
    return 0;
  }

  /** Ends the planners; unfinished plans are abandoned. */
  void end() throws InterruptedException;
}
