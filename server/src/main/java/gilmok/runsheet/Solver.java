package gilmok.runsheet;

import gilmok.runsheet.plan.Budget;
import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.PlanProblem;

/** Finds the best order of stops within a budget. A pure computation. */
@FunctionalInterface
public interface Solver {
  /** The best plan found before the budget was used up or a plan was proven optimal. */
  Plan plan(PlanProblem problem, Budget budget);
}
