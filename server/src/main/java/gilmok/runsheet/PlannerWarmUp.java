package gilmok.runsheet;

import gilmok.runsheet.plan.PlanOrder;
import gilmok.runsheet.plan.PlanProblem;
import gilmok.runsheet.plan.ProblemDraft;
import gilmok.runsheet.plan.Review;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Warms up the planners with generated problems, so that the first real one is fast. */
final class PlannerWarmUp {
  /** Long, as the first plan also waits for the process to start. */
  private static final Duration FIRST = Duration.ofSeconds(10);

  private static final Duration ALTOGETHER = Duration.ofMillis(1500);
  private static final Duration FAST = Duration.ofMillis(20);
  private static final int FAST_ENOUGH = 3;
  private static final int ORDERS = 10;
  private static final int COST_MAX = 1000;

  private PlannerWarmUp() {}

  /** Plans for a limited time, on the calling thread. */
  static void run(Planners planners) throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(1);
    planners.plan(problem(random), System.nanoTime() + FIRST.toNanos());
    long until = System.nanoTime() + ALTOGETHER.toNanos();
    for (int fast = 0; fast < FAST_ENOUGH && System.nanoTime() - until < 0; ) {
      long began = System.nanoTime();
      planners.plan(problem(random), until);
      fast = System.nanoTime() - began < FAST.toNanos() ? fast + 1 : 0;
    }
  }

  private static PlanProblem problem(SplittableRandom random) {
    int nodes = 1 + 2 * ORDERS;
    long[][] matrix = new long[nodes][nodes];
    for (long[] row : matrix) {
      for (int to = 0; to < nodes; to++) {
        row[to] = random.nextInt(COST_MAX);
      }
    }
    List<PlanOrder> orders = new ArrayList<>();
    for (int i = 0; i < ORDERS; i++) {
      orders.add(new PlanOrder(Integer.toString(i), 1 + 2 * i, 2 + 2 * i));
    }
    return switch (Review.of(new ProblemDraft(matrix, 0, null, orders))) {
      case Review.Sound(PlanProblem problem) -> problem;
      case Review.Fault fault -> throw new IllegalStateException(fault.toString());
    };
  }
}
