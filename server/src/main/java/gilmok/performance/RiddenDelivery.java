package gilmok.performance;

import org.jspecify.annotations.Nullable;

/**
 * A delivery that a rider had, with when what happened. Immutable.
 *
 * @param assignedAt when the rider was given it, for the last time; epoch ms, as all times
 * @param pickedUpAt null if it was not picked up
 * @param completedAt null if it was not completed
 * @param endedAt when the rider had it no more; null if the rider still has it
 * @param readyAt when the shop had it ready; null if unknown
 * @param dueBy when it had to be there; null if it was not promised
 */
public record RiddenDelivery(
    String riderId,
    Place shop,
    Place door,
    long assignedAt,
    @Nullable Long pickedUpAt,
    @Nullable Long completedAt,
    @Nullable Long endedAt,
    @Nullable Long readyAt,
    @Nullable Long dueBy) {
  /**
   * A place on the ground.
   *
   * @param lat degrees
   * @param lon degrees
   */
  public record Place(double lat, double lon) {}
}
