package gilmok.runsheet.plan;

/**
 * One stop of a plan.
 *
 * @param node where
 * @param order for which order, by its place among the problem's
 * @param kind what is done there
 * @param arriveAt when the rider gets there, from when the start is left; waiting and service come
 *     after that
 * @param lateBy how much that is after {@link PlanOrder#dueBy}; 0 at a pickup
 */
public record Stop(int node, int order, Kind kind, long arriveAt, long lateBy) {
  /** What is done at a stop. */
  public enum Kind {
    /** An order comes on board. */
    PICKUP,
    /** An order is handed over. */
    DROPOFF
  }
}
