package gilmok.runsheet;

import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.PlanProblem;
import java.io.IOException;

/** Where plans are made: apart from whoever asks. Thread-safe. */
interface Planners {
  /**
   * Makes a plan. Blocks; when the caller is interrupted the planning ends too.
   *
   * @param untilNanos when the best found so far is wanted, as {@link System#nanoTime} has it
   * @throws IOException when planning failed: a process died, or does not answer
   */
  Plan plan(PlanProblem problem, long untilNanos) throws IOException, InterruptedException;

  /** How often what makes plans had to be started again. */
  default long restarts() {
    return 0;
  }

  /** Ends; plans under way are given up. */
  void end() throws InterruptedException;
}
