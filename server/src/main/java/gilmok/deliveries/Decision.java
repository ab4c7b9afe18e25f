package gilmok.deliveries;

/** What {@link Lifecycle} says to a {@link Move}. */
public sealed interface Decision {
  /** It happens: the delivery after it, whose last event is the move's. */
  record Allowed(Delivery next) implements Decision {}

  /** It does not. */
  record Denied(Why why) implements Decision {}

  /** Why a move does not happen. */
  enum Why {
    /** The delivery is not where this step can begin. */
    STATE,
    /** The delivery has another version than the asker knows. */
    VERSION,
    /** The asker is bound to a rider, shop or agency that has no part in it, or not this part. */
    NOT_YOURS,
    /** The rider's action of this record id was seen before. */
    REPEAT,
    /** It has had {@link Delivery#EVENTS_MAX} events. */
    TOO_MANY
  }
}
