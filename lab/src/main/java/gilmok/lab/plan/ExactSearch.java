package gilmok.lab.plan;

import gilmok.runsheet.plan.PlanOrder;
import gilmok.runsheet.plan.PlanProblem;
import java.util.Arrays;
import java.util.List;

/**
 * The least travel of a small run sheet, by dynamic programming over every state: each order open,
 * on board or delivered, and the last stop. It shares nothing with the planner, prunes nothing, and
 * so is what the planner's proofs are held to. Knows no times and no capacity.
 */
final class ExactSearch {
  /** Twelve orders have 13 million states of 4 bytes; each more has three times as many. */
  static final int ORDERS_MAX = 12;

  private static final int STATES = 3;
  private static final int NOT_REACHED = Integer.MAX_VALUE;

  private final PlanProblem problem;
  private final int[] nodes;
  private final int[] powers;
  private final int[] least;

  private ExactSearch(PlanProblem problem) {
    this.problem = problem;
    List<PlanOrder> orders = problem.orders();
    nodes = new int[2 * orders.size()];
    powers = new int[orders.size() + 1];
    powers[0] = 1;
    for (int i = 0; i < orders.size(); i++) {
      nodes[2 * i] = orders.get(i).pickup();
      nodes[2 * i + 1] = orders.get(i).dropoff();
      powers[i + 1] = powers[i] * STATES;
    }
    least = new int[powers[orders.size()] * nodes.length];
  }

  /**
   * The least cost of all plans, with the ways from the start and to the end.
   *
   * @throws IllegalArgumentException above {@link #ORDERS_MAX} orders
   */
  static long cost(PlanProblem problem) {
    if (problem.orders().isEmpty() || problem.orders().size() > ORDERS_MAX) {
      throw new IllegalArgumentException("1 to " + ORDERS_MAX + " orders can be searched");
    }
    return new ExactSearch(problem).run();
  }

  private long run() {
    Arrays.fill(least, NOT_REACHED);
    int orders = nodes.length / 2;
    for (int i = 0; i < orders; i++) {
      least[powers[i] * nodes.length + 2 * i] = problem.cost(problem.start(), nodes[2 * i]);
    }
    // A step makes the number of a state larger, so each is final when it is come to.
    for (int state = 1; state < powers[orders]; state++) {
      for (int last = 0; last < nodes.length; last++) {
        int cost = least[state * nodes.length + last];
        if (cost != NOT_REACHED) {
          goOn(state, last, cost);
        }
      }
    }
    Integer end = problem.end();
    long best = Long.MAX_VALUE;
    for (int last = 1; last < nodes.length; last += 2) {
      long cost = least[(powers[orders] - 1) * nodes.length + last];
      best = Math.min(best, cost + (end == null ? 0 : problem.cost(nodes[last], end)));
    }
    return best;
  }

  private void goOn(int state, int last, int cost) {
    for (int i = 0; 2 * i < nodes.length; i++) {
      int digit = state / powers[i] % STATES;
      if (digit < 2) {
        int stop = 2 * i + digit;
        int next = (state + powers[i]) * nodes.length + stop;
        least[next] = Math.min(least[next], cost + problem.cost(nodes[last], nodes[stop]));
      }
    }
  }
}
