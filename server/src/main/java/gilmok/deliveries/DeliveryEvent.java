package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/**
 * What happened to a delivery, who says so, when and where.
 *
 * @param sequence counts from 1 at creation and is the delivery's version after it; 0 for a late
 *     one
 * @param atMillis when it happened, as its author says, epoch ms
 * @param recordedAtMillis when it was recorded here, epoch ms
 * @param by who: {@code key:ID} of a key, {@code rider:ID} of a rider's action
 * @param late a rider's action that came when the delivery had moved on: it changed nothing
 */
public record DeliveryEvent(
    int sequence,
    Step step,
    long atMillis,
    long recordedAtMillis,
    String by,
    StepDetails details,
    boolean late)
    implements DetailedStep {
  /** What comes of a move that happens, or of one that came too late. */
  static DeliveryEvent of(
      Move move, int sequence, long nowMillis, @Nullable String rider, boolean late) {
    Step step = move.step();
    String agency = step == Step.ACCEPT ? move.agencyId() : null;
    return new DeliveryEvent(
        sequence,
        step,
        move.atMillis(),
        nowMillis,
        move.by(),
        move.details().about(rider, agency),
        late);
  }
}
