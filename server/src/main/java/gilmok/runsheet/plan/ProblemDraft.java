package gilmok.runsheet.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks for, not looked at yet: {@link Review#of} does that. All times and costs have
 * one unit, which is the caller's: seconds, metres.
 *
 * @param matrix the cost of the way from node to node, one row for each node to come from; it need
 *     be neither symmetric nor shortest. Its diagonal is not read: staying costs nothing
 * @param start the node the rider is at
 * @param end the node the route ends at, or null: at the last stop
 * @param orders what is to be fetched and brought
 * @param serviceTime how long each stop takes
 * @param capacity how many orders can be on board at once
 * @param objective what there is to be little of
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
  /** At most as many orders. */
  public static final int ORDERS_MAX = 100;

  /** At most as many nodes. */
  public static final int NODES_MAX = 512;

  /** The dearest way from node to node: three of them still fit an {@code int}. */
  public static final int COST_MAX = 500_000_000;

  /** No time given is further from 0 than this, which is 31 years in milliseconds. */
  public static final long TIME_MAX = 1_000_000_000_000L;

  /** Least travel, no service time, as many orders on board as there are. */
  public ProblemDraft(long[][] matrix, int start, @Nullable Integer end, List<PlanOrder> orders) {
    this(matrix, start, end, orders, 0, ORDERS_MAX, Objective.TRAVEL);
  }
}
