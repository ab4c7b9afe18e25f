package gilmok.runsheet.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random problems of every kind, made from a seed. */
final class Cases {
  /** A budget that is never used up. */
  static final Budget ENDLESS = () -> 0;

  private Cases() {}

  /**
   * A random problem: it may be asymmetric, share nodes, have an end, a capacity or orders on
   * board.
   */
  static PlanProblem random(int orders, Objective objective, long seed) {
    Random random = new Random(seed * 7919 + orders);
    int nodes = 2 * orders + 2;
    long[][] matrix = new long[nodes][nodes];
    boolean isFlat = random.nextBoolean();
    long[] x = random.longs(nodes, 0, 1000).toArray();
    long[] y = random.longs(nodes, 0, 1000).toArray();
    int dearest = random.nextInt(4) == 0 ? 4 : 1000;
    for (int a = 0; a < nodes; a++) {
      for (int b = 0; b < nodes; b++) {
        // The diagonal is filled, too: it must not be read.
        matrix[a][b] =
            isFlat && a != b
                ? Math.round(Math.hypot((double) x[a] - x[b], (double) y[a] - y[b]))
                : random.nextInt(dearest);
      }
    }
    boolean hasSharedShop = random.nextInt(3) == 0;
    boolean hasOnBoard = random.nextInt(3) == 0;
    List<PlanOrder> list = new ArrayList<>();
    int onBoard = 0;
    for (int i = 0; i < orders; i++) {
      boolean pickedUp = hasOnBoard && random.nextInt(3) == 0;
      onBoard += pickedUp ? 1 : 0;
      long readyAt = random.nextInt(1500) - 500L;
      long dueBy =
          random.nextInt(4) == 0 ? PlanOrder.NEVER_DUE : random.nextInt(700 * Math.max(1, orders));
      int pickup = hasSharedShop ? 1 + random.nextInt(2) : 1 + 2 * i;
      int dropoff = hasSharedShop ? 3 + random.nextInt(nodes - 3) : 2 + 2 * i;
      list.add(new PlanOrder("o" + i, pickedUp ? -1 : pickup, dropoff, readyAt, dueBy, pickedUp));
    }
    Integer end = random.nextBoolean() ? nodes - 1 : null;
    int capacity =
        random.nextBoolean() ? ProblemDraft.ORDERS_MAX : Math.max(1, onBoard) + random.nextInt(2);
    long service = random.nextBoolean() ? 0 : random.nextInt(100);
    return problem(new ProblemDraft(matrix, 0, end, list, service, capacity, objective));
  }

  static PlanProblem problem(ProblemDraft draft) {
    return switch (Review.of(draft)) {
      case Review.Sound(PlanProblem problem) -> problem;
      case Review.Fault fault -> throw new AssertionError(fault);
    };
  }

  /** A budget that is used up once it is asked that many times. */
  static Budget asked(int times) {
    return new Budget() {
      private int count;

      @Override
      public double used() {
        return (double) count++ / times;
      }
    };
  }
}
