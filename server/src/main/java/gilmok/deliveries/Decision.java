package gilmok.deliveries;

/** The decision of {@link Lifecycle} on a {@link Move}. Immutable. */
public sealed interface Decision {
  /** The move happens. {@code next} is the delivery after it; its last event is the move's. */
  record Allowed(Delivery next) implements Decision {}

  /** The move is refused. */
  record Denied(Why why) implements Decision {}

  /** Why a move is refused. */
  enum Why {
    /** The step is not possible in the delivery's status. */
    STATE,
    /** The delivery's version is not the one that the caller expects. */
    VERSION,
    /**
     * The caller is bound to a rider, shop or agency that has no part in the delivery, or not the
     * part that the step needs.
     */
    NOT_YOURS,
    /**
     * An action with this record id, or a request with this idempotency key, was applied before.
     */
    REPEAT,
    /** The idempotency key was used for this delivery with another step or body. */
    BODY_DIFFERS,
    /** The delivery has {@link Delivery#EVENTS_MAX} events. */
    TOO_MANY
  }
}
