package gilmok.runsheet;

import gilmok.runsheet.plan.Objective;
import gilmok.runsheet.plan.PlanOrder;
import gilmok.runsheet.plan.ProblemDraft;
import gilmok.runsheet.plan.Stop;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a body has said so far, field by field, each valid by itself. Belongs to the thread that
 * reads the body.
 */
final class RunSheetRequest {
  /** Where something is: a node of the matrix, or a point. */
  sealed interface Where {
    /** A row of the matrix. */
    record Node(int number) implements Where {}

    /** A place on the ground. */
    record At(GroundPoint point) implements Where {}
  }

  /** One of {@code orders}. */
  static final class Wanted {
    String id = "";
    @Nullable Where pickup;
    @Nullable Where dropoff;
    long readyAt;
    long dueBy = PlanOrder.NEVER_DUE;
    boolean pickedUp;
  }

  /** One of {@code plan}. */
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
