package gilmok.lab.plan;

import gilmok.runsheet.plan.PlanOrder;
import gilmok.runsheet.plan.PlanProblem;
import java.util.List;
import java.util.Random;

/** The baseline: random valid orders of stops; the cheapest within a time wins. */
final class RandomSearch {
  private static final int TRIES_BETWEEN_LOOKS = 64;

  private RandomSearch() {}

  /** The lowest cost found, including the ways from the start and to the end. */
  static long cost(PlanProblem problem, double seconds, long seed) {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    Random random = new Random(seed);
    int[] open = new int[problem.orders().size()];
    boolean[] isAboard = new boolean[open.length];
    long best = Long.MAX_VALUE;
    do {
      for (int i = 0; i < TRIES_BETWEEN_LOOKS; i++) {
        best = Math.min(best, once(problem, random, open, isAboard));
      }
    } while (System.nanoTime() < end);
    return best;
  }

  private static long once(PlanProblem problem, Random random, int[] open, boolean[] isAboard) {
    List<PlanOrder> orders = problem.orders();
    for (int i = 0; i < open.length; i++) {
      open[i] = i;
      isAboard[i] = false;
    }
    int left = open.length;
    int at = problem.start();
    long cost = 0;
    while (left > 0) {
      int place = random.nextInt(left);
      int order = open[place];
      int next = isAboard[order] ? orders.get(order).dropoff() : orders.get(order).pickup();
      if (isAboard[order]) {
        open[place] = open[--left];
      }
      isAboard[order] = true;
      cost += problem.cost(at, next);
      at = next;
    }
    Integer end = problem.end();
    return end == null ? cost : cost + problem.cost(at, end);
  }
}
