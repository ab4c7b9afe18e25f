package gilmok.runsheet;

import gilmok.runsheet.plan.Objective;
import gilmok.runsheet.plan.PlanOrder;
import gilmok.runsheet.plan.ProblemDraft;
import gilmok.runsheet.plan.Stop;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a body parsed so far; each is valid by itself. Not thread-safe: owned by the thread
 * that parses the body.
 */
final class RunSheetRequest {
  /** The place of a stop: a node of the matrix, or a point. */
  sealed interface Where {
    /** A row of the matrix. */
    record Node(int number) implements Where {}

    /** A point on the Earth. */
    record At(GroundPoint point) implements Where {}
  }

  /** One entry of {@code orders}. */
  static final class Wanted {
    String id = "";
    @Nullable Where pickup;
    @Nullable Where dropoff;
    long readyAt;
    long dueBy = PlanOrder.NEVER_DUE;
    boolean pickedUp;
  }

  /** One entry of {@code plan}. */
  record Given(String orderId, Stop.Kind kind) {}

  long @Nullable [][] matrix;
  @Nullable Where start;
  @Nullable Where end;
  @Nullable List<Wanted> orders;
  long serviceTime;
  int capacity = ProblemDraft.ORDERS_MAX;
  Objective objective = Objective.TRAVEL;
  @Nullable Double speed;
  int budgetMillis = RunSheetBody.BUDGET_USUAL_MILLIS;
  @Nullable List<Given> plan;
}
