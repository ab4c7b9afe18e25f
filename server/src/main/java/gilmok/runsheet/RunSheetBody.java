package gilmok.runsheet;

import gilmok.runsheet.plan.PlanCheck;
import gilmok.runsheet.plan.PlanProblem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parsed body of {@code POST /v1/run-sheets}. */
sealed interface RunSheetBody {
  /** The least, the most and the default budget of a plan. */
  int BUDGET_MIN_MILLIS = 10;

  int BUDGET_MAX_MILLIS = 10_000;
  int BUDGET_USUAL_MILLIS = 500;

  /**
   * A valid request.
   *
   * @param points the positions of the problem's nodes; null if the request has a matrix
   * @param visits the plan to be checked; null if a plan is to be made
   */
  record Wish(
      PlanProblem problem,
      @Nullable List<GroundPoint> points,
      @Nullable List<PlanCheck.Visit> visits,
      int budgetMillis)
      implements RunSheetBody {}

  /** An invalid field. */
  record Wrong(String field, String reason) implements RunSheetBody {}

  /** The body is not a JSON object. */
  record Unreadable() implements RunSheetBody {}
}
