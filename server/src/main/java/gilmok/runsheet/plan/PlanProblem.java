package gilmok.runsheet.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a plan is made for: one rider, the ways between nodes, the orders. It is valid, as only
 * {@link Review#of} makes one, and never changes; any thread may use it.
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

  /** How many nodes there are. */
  public int nodes() {
    return nodes;
  }

  /** The cost of the way from a node to another; staying costs nothing. */
  public int cost(int from, int to) {
    return costs[from * nodes + to];
  }

  /** The node the rider is at. */
  public int start() {
    return draft.start();
  }

  /** The node the route ends at, or null: at the last stop. */
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

  /** How many orders can be on board at once. */
  public int capacity() {
    return draft.capacity();
  }

  /** What there is to be little of. */
  public Objective objective() {
    return draft.objective();
  }
}
