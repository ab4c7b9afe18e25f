package gilmok.runsheet;

import gilmok.runsheet.plan.PlanCheck;
import gilmok.runsheet.plan.PlanProblem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the body of {@code POST /v1/run-sheets} says. */
sealed interface RunSheetBody {
  /** The least and the most time that a plan is given, and what it is given unasked. */
  int BUDGET_MIN_MILLIS = 10;

  int BUDGET_MAX_MILLIS = 10_000;
  int BUDGET_USUAL_MILLIS = 500;

  /**
   * All is well.
   *
   * @param points where the problem's nodes are; null where a matrix says how far they are apart
   * @param visits the plan to be looked at; null for one to be made
   */
  record Wish(
      PlanProblem problem,
      @Nullable List<GroundPoint> points,
      @Nullable List<PlanCheck.Visit> visits,
      int budgetMillis)
      implements RunSheetBody {}

  /** A field that is wrong. */
  record Wrong(String field, String reason) implements RunSheetBody {}

  /** Not a JSON object. */
  record Unreadable() implements RunSheetBody {}
}
