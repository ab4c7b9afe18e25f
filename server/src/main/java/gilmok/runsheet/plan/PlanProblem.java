package gilmok.runsheet.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A valid problem for the planner: one rider, the costs between nodes, the orders. Made only by
 * {@link Review#of}. Immutable and thread-safe.
 */
public final class PlanProblem {
  private final int nodes;
  private final int[] costs;
  private final ProblemDraft draft;
  private final List<PlanOrder> orders;

  PlanProblem(ProblemDraft draft) {
    nodes = draft.matrix().length;
    costs = new int[nodes * nodes];
    for (int from = 0; from < nodes; from++) {
      for (int to = 0; to < nodes; to++) {
        costs[from * nodes + to] = from == to ? 0 : (int) draft.matrix()[from][to];
      }
    }
    this.draft = draft;
    orders = List.copyOf(draft.orders());
  }

  /** The number of nodes. */
  public int nodes() {
    return nodes;
  }

  /** The cost from one node to another; 0 from a node to itself. */
  public int cost(int from, int to) {
    return costs[from * nodes + to];
  }

  /** The node the rider is at. */
  public int start() {
    return draft.start();
  }

  /** The node at which the route ends; null if it ends at the last stop. */
  public @Nullable Integer end() {
    return draft.end();
  }

  /** The orders, as given. */
  public List<PlanOrder> orders() {
    return orders;
  }

  /** How long each stop takes. */
  public long serviceTime() {
    return draft.serviceTime();
  }

  /** The number of orders that can be on board at once. */
  public int capacity() {
    return draft.capacity();
  }

  /** What the plan minimises. */
  public Objective objective() {
    return draft.objective();
  }
}
