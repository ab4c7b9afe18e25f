package gilmok.lab.day;

import org.jspecify.annotations.Nullable;

/**
 * One thing that happens to an order.
 *
 * @param minute of the day
 * @param courier who has it; null before it is assigned
 */
public record Act(double minute, Kind kind, Day.Order order, @Nullable String courier) {
  /** What happens. */
  public enum Kind {
    /** The order is placed: a delivery is created. */
    CREATE,
    /** Its shop, or an agency, takes it on. */
    ACCEPT,
    /** A courier is to bring it. */
    ASSIGN,
    /** The courier has it. */
    PICK_UP,
    /** The customer has it. */
    COMPLETE,
    /** Nobody brings it. */
    CANCEL;

    /** Whether nothing follows it. */
    public boolean isEnd() {
      return this == COMPLETE || this == CANCEL;
    }
  }
}
