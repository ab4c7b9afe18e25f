package gilmok.runsheet.plan;

/**
 * One order to be picked up and delivered. Times are in the matrix' unit, counted from when the
 * rider leaves the start; an order that was ready before then has a time below 0. Immutable.
 *
 * @param id the caller's name for it
 * @param pickup the node of its pickup; any number, and not used, if the order is already on board
 * @param dropoff the node of its drop-off
 * @param readyAt when it can be picked up; a rider who arrives earlier waits
 * @param dueBy when it should be delivered at the latest, or {@link #NEVER_DUE}
 * @param pickedUp whether it is already on board at the start and only has to be delivered
 */
public record PlanOrder(
    String id, int pickup, int dropoff, long readyAt, long dueBy, boolean pickedUp) {
  /** The {@link #dueBy} of an order that cannot be late. */
  public static final long NEVER_DUE = Long.MAX_VALUE;

  /** An order that is ready at once and cannot be late. */
  public PlanOrder(String id, int pickup, int dropoff) {
    this(id, pickup, dropoff, 0, NEVER_DUE, false);
  }
}
