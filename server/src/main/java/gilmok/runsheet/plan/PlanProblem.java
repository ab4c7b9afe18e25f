package gilmok.runsheet.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a plan is made for: one rider, the ways between nodes, the orders. It is valid, as only
 * {@link #of} makes one, and never changes; any thread may use it.
 */
public final class PlanProblem implements ReviewResult {
  /** At most as many orders. */
  public static final int ORDERS_MAX = 100;

  /** At most as many nodes. */
  public static final int NODES_MAX = 512;

  /** The dearest way from node to node: three of them still fit an {@code int}. */
  public static final int COST_MAX = 500_000_000;

  /** No time given is further from 0 than this, which is 31 years in milliseconds. */
  public static final long TIME_MAX = 1_000_000_000_000L;

  private final int nodes;
  private final int[] costs;
  private final int start;
  private final @Nullable Integer end;
  private final List<PlanOrder> orders;
  private final long serviceTime;
  private final int capacity;
  private final Objective objective;

  private PlanProblem(ProblemDraft draft) {
    nodes = draft.matrix().length;
    costs = new int[nodes * nodes];
    for (int from = 0; from < nodes; from++) {
      for (int to = 0; to < nodes; to++) {
        costs[from * nodes + to] = from == to ? 0 : (int) draft.matrix()[from][to];
      }
    }
    start = draft.start();
    end = draft.end();
    orders = List.copyOf(draft.orders());
    serviceTime = draft.serviceTime();
    capacity = draft.capacity();
    objective = draft.objective();
  }

  /** The draft as a problem, or the first thing that is wrong with it. */
  public static ReviewResult of(ProblemDraft draft) {
    DraftFault fault = Review.fault(draft);
    return fault == null ? new PlanProblem(draft) : fault;
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
    return start;
  }

  /** The node the route ends at, or null: at the last stop. */
  public @Nullable Integer end() {
    return end;
  }

  /** The orders, as given. */
  public List<PlanOrder> orders() {
    return orders;
  }

  /** How long each stop takes. */
  public long serviceTime() {
    return serviceTime;
  }

  /** How many orders can be on board at once. */
  public int capacity() {
    return capacity;
  }

  /** What there is to be little of. */
  public Objective objective() {
    return objective;
  }
}
