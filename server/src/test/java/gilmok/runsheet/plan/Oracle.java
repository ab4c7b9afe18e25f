package gilmok.runsheet.plan;

import java.util.HashMap;
import java.util.Map;

/** The best plans, found by exhaustive search: slow and simple. */
final class Oracle {
  private static final int OPEN = 0;
  private static final int ABOARD = 1;
  private static final int DELIVERED = 2;

  private final PlanProblem problem;
  private final Map<Long, Long> known = new HashMap<>();
  private long lateness = Long.MAX_VALUE;
  private long travel = Long.MAX_VALUE;

  private Oracle(PlanProblem problem) {
    this.problem = problem;
  }

  /** The least travel of any plan. */
  static long travel(PlanProblem problem) {
    Oracle oracle = new Oracle(problem);
    return oracle.travel(oracle.first(), problem.start());
  }

  /** The least lateness of any plan, and the least travel among the plans that have it. */
  static LowerBound late(PlanProblem problem) {
    Oracle oracle = new Oracle(problem);
    oracle.late(oracle.first(), problem.start(), 0, 0, 0);
    return new LowerBound(oracle.lateness, oracle.travel);
  }

  private int[] first() {
    return problem.orders().stream().mapToInt(o -> o.pickedUp() ? ABOARD : OPEN).toArray();
  }

  private long travel(int[] states, int node) {
    long key = key(states, node);
    Long before = known.get(key);
    if (before != null) {
      return before;
    }
    long best = Long.MAX_VALUE;
    for (int i = 0; i < states.length; i++) {
      if (canGo(states, i)) {
        int next = node(i, states[i]);
        states[i]++;
        best = Math.min(best, problem.cost(node, next) + travel(states, next));
        states[i]--;
      }
    }
    if (best == Long.MAX_VALUE) {
      best = toEnd(node);
    }
    known.put(key, best);
    return best;
  }

  private static long key(int[] states, int node) {
    long key = node;
    for (int state : states) {
      key = 3 * key + state;
    }
    return key;
  }

  private void late(int[] states, int node, long time, long late, long way) {
    boolean isDone = true;
    for (int i = 0; i < states.length; i++) {
      if (canGo(states, i)) {
        isDone = false;
        PlanOrder planOrder = problem.orders().get(i);
        int next = node(i, states[i]);
        long arrive = time + problem.cost(node, next);
        boolean isPickup = states[i] == OPEN;
        long leave = (isPickup ? Math.max(arrive, planOrder.readyAt()) : arrive);
        long more = isPickup || arrive <= planOrder.dueBy() ? 0 : arrive - planOrder.dueBy();
        states[i]++;
        late(
            states,
            next,
            leave + problem.serviceTime(),
            late + more,
            way + problem.cost(node, next));
        states[i]--;
      }
    }
    if (isDone) {
      long whole = way + toEnd(node);
      if (late < lateness || (late == lateness && whole < travel)) {
        lateness = late;
        travel = whole;
      }
    }
  }

  private boolean canGo(int[] states, int order) {
    int load = 0;
    for (int state : states) {
      load += state == ABOARD ? 1 : 0;
    }
    return states[order] == ABOARD || (states[order] != DELIVERED && load < problem.capacity());
  }

  private int node(int order, int state) {
    PlanOrder asked = problem.orders().get(order);
    return state == OPEN ? asked.pickup() : asked.dropoff();
  }

  private long toEnd(int node) {
    Integer end = problem.end();
    return end == null ? 0 : problem.cost(node, end);
  }
}
