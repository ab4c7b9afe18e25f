package gilmok.runsheet;

import gilmok.runsheet.plan.Objective;
import gilmok.runsheet.plan.PlanOrder;
import gilmok.runsheet.plan.PlanProblem;
import gilmok.runsheet.plan.ProblemDraft;
import gilmok.runsheet.plan.Review;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Random problems for tests, made from seeds. */
final class MadeUp {
  private MadeUp() {}

  /** A problem with that many orders, costs below 1,000 and an open end. */
  static PlanProblem problem(int orders, long seed) {
    return problem(orders, seed, null, Objective.TRAVEL);
  }

  /**
   * A problem that can also have an end and, with lateness as the objective, times and orders on
   * board.
   */
  static PlanProblem problem(int count, long seed, @Nullable Integer end, Objective objective) {
    SplittableRandom random = new SplittableRandom(seed);
    int nodes = 2 + 2 * count;
    long[][] matrix = new long[nodes][nodes];
    for (int from = 0; from < nodes; from++) {
      for (int to = 0; to < nodes; to++) {
        matrix[from][to] = from == to ? 0 : random.nextInt(1, 1000);
      }
    }
    List<PlanOrder> orders = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean isDue = objective == Objective.LATENESS_THEN_TRAVEL;
      orders.add(
          new PlanOrder(
              "order-" + i,
              2 + 2 * i,
              3 + 2 * i,
              isDue ? random.nextInt(1000) : 0,
              isDue ? random.nextInt(5000) : PlanOrder.NEVER_DUE,
              isDue && i % 3 == 0));
    }
    return valid(new ProblemDraft(matrix, 0, end, orders, isOdd(seed) ? 7 : 0, count, objective));
  }

  private static boolean isOdd(long seed) {
    return seed % 2 != 0;
  }

  static PlanProblem valid(ProblemDraft draft) {
    return switch (Review.of(draft)) {
      case Review.Sound(PlanProblem problem) -> problem;
      case Review.Fault fault -> throw new AssertionError(fault);
    };
  }
}
