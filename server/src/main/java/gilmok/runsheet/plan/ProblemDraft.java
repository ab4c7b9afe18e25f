package gilmok.runsheet.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A caller's request, not validated yet: {@link Review#of} does that. All times and costs have the
 * same unit, which the caller chooses, such as seconds or metres. The matrix is not copied and must
 * not be changed.
 *
 * @param matrix the cost from node to node, one row for each node to start from; it need be neither
 *     symmetric nor shortest. Its diagonal is not read: staying costs nothing
 * @param start the rider's node
 * @param end the node at which the route ends; null: at the last stop
 * @param orders the orders to be picked up and delivered
 * @param serviceTime how long each stop takes
 * @param capacity how many orders can be on board at once
 * @param objective what the plan minimises
 */
@SuppressWarnings("ArrayRecordComponent") // read once, compared by nobody
public record ProblemDraft(
    long[][] matrix,
    int start,
    @Nullable Integer end,
    List<PlanOrder> orders,
    long serviceTime,
    int capacity,
    Objective objective) {
  /** The largest number of orders. */
  public static final int ORDERS_MAX = 100;

  /** The largest number of nodes. */
  public static final int NODES_MAX = 512;

  /** The highest cost from node to node: the sum of three still fits an {@code int}. */
  public static final int COST_MAX = 500_000_000;

  /** The largest distance of a time from 0: 31 years in milliseconds. */
  public static final long TIME_MAX = 1_000_000_000_000L;

  /** A draft for least travel, without service time, and with room for all orders on board. */
  public ProblemDraft(long[][] matrix, int start, @Nullable Integer end, List<PlanOrder> orders) {
    this(matrix, start, end, orders, 0, ORDERS_MAX, Objective.TRAVEL);
  }
}
