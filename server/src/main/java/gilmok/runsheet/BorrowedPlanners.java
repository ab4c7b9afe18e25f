package gilmok.runsheet;

import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.PlanProblem;
import java.io.IOException;

/** Somebody else's planners: they go on when their borrower ends. */
record BorrowedPlanners(Planners lender) implements Planners {
  @Override
  public Plan plan(PlanProblem problem, long untilNanos) throws IOException, InterruptedException {
    return lender.plan(problem, untilNanos);
  }

  @Override
  public long restarts() {
    return lender.restarts();
  }

  @Override
  public void end() {
    // They are not ours.
  }
}
