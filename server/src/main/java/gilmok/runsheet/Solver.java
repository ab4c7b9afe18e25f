package gilmok.runsheet;

import gilmok.runsheet.plan.Budget;
import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.PlanProblem;

/** Finds the best order of stops it can within a budget. Computes, and does nothing else. */
@FunctionalInterface
public interface Solver {
  /** The best plan that was found when the budget was used or the plan was proven best. */
  Plan plan(PlanProblem problem, Budget budget);
}
