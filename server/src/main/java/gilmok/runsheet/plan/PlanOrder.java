package gilmok.runsheet.plan;

/**
 * One order to be fetched and brought. Times are in the matrix' unit, from when the rider leaves
 * the start: what was ready before that has a time below 0.
 *
 * @param id the caller's name for it
 * @param pickup the node it is fetched at; of an order on board already, not used, and any
 * @param dropoff the node it is brought to
 * @param readyAt when it can be taken over: who is there before waits
 * @param dueBy until when it is to be brought, or {@link #NEVER_DUE}
 * @param pickedUp whether it is on board at the start already, so that it is only to be brought
 */
public record PlanOrder(
    String id, int pickup, int dropoff, long readyAt, long dueBy, boolean pickedUp) {
  /** The {@link #dueBy} of an order that is never late. */
  public static final long NEVER_DUE = Long.MAX_VALUE;

  /** An order that is ready and never late. */
  public PlanOrder(String id, int pickup, int dropoff) {
    this(id, pickup, dropoff, 0, NEVER_DUE, false);
  }
}
