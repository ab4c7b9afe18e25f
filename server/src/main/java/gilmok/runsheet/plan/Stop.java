package gilmok.runsheet.plan;

/**
 * One stop of a plan. Immutable.
 *
 * @param node its node
 * @param order the index of its order in the problem
 * @param kind pickup or drop-off
 * @param arriveAt when the rider arrives, counted from leaving the start; waiting and service
 *     follow
 * @param lateBy how much the arrival is after {@link PlanOrder#dueBy}; 0 at a pickup
 */
public record Stop(int node, int order, Kind kind, long arriveAt, long lateBy) {
  /** The kind of a stop. */
  public enum Kind {
    /** An order is picked up. */
    PICKUP,
    /** An order is delivered. */
    DROPOFF
  }
}
