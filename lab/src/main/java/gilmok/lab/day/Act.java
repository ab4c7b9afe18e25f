package gilmok.lab.day;

import org.jspecify.annotations.Nullable;

/**
 * One event in an order's life.
 *
 * @param minute its minute of the day
 * @param courier the order's courier; null before it is assigned
 */
public record Act(double minute, Kind kind, Day.Order order, @Nullable String courier) {
  /** The kind of an event. */
  public enum Kind {
    /** The order is placed: a delivery is created. */
    CREATE,
    /** The shop or an agency accepts it. */
    ACCEPT,
    /** A courier is assigned. */
    ASSIGN,
    /** The courier picks it up. */
    PICK_UP,
    /** The courier hands it to the customer. */
    COMPLETE,
    /** The order is cancelled. */
    CANCEL;

    /** Whether it is the last event of its order. */
    public boolean isEnd() {
      return this == COMPLETE || this == CANCEL;
    }
  }
}
