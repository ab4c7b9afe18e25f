package gilmok.runsheet.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks for, not looked at yet: {@link PlanProblem#of} does that. All times and costs
 * have one unit, which is the caller's: seconds, metres.
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
  /** Least travel, no service time, as many orders on board as there are. */
  public ProblemDraft(long[][] matrix, int start, @Nullable Integer end, List<PlanOrder> orders) {
    this(matrix, start, end, orders, 0, PlanProblem.ORDERS_MAX, Objective.TRAVEL);
  }
}
