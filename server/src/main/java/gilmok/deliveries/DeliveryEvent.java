package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/**
 * One event of a delivery: what happened, who reported it, when and where. Immutable.
 *
 * @param sequence counts from 1 at creation, and is the delivery's version after the event; 0 for a
 *     late event
 * @param atMillis when it happened, epoch ms: as its author says, or, where that cannot be, when it
 *     arrived
 * @param claimedAtMillis what the author said where that cannot be; else null
 * @param recordedAtMillis when it was recorded here, epoch ms
 * @param by its author: {@code key:ID} for a key, {@code rider:ID} for a rider's action
 * @param late whether it is a rider's action that came after the delivery had moved on; it changed
 *     nothing
 */
public record DeliveryEvent(
    int sequence,
    Step step,
    long atMillis,
    @Nullable Long claimedAtMillis,
    long recordedAtMillis,
    String by,
    StepDetails details,
    boolean late)
    implements DetailedStep {
  /** The event of a move that happens, or of an action that is late, with a time that can be. */
  static DeliveryEvent of(
      Move move,
      long createdAtMillis,
      int sequence,
      long nowMillis,
      @Nullable String rider,
      boolean late) {
    Step step = move.step();
    String agency = step == Step.ACCEPT ? move.agencyId() : null;
    return new DeliveryEvent(
        sequence,
        step,
        move.countsAtMillis(createdAtMillis),
        move.isDatedWell(createdAtMillis) ? null : (Long) move.atMillis(),
        nowMillis,
        move.by(),
        move.details().about(rider, agency),
        late);
  }
}
