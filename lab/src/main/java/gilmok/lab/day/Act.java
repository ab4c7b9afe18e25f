package gilmok.lab.day;

import org.jspecify.annotations.Nullable;

/**
 * One thing that happens to an order.
 *
 * @param minute of the day
 * @param courier who has it; null before it is assigned
 */
record Act(double minute, Kind kind, Day.Order order, @Nullable String courier) {
  /** What happens. */
  enum Kind {
    CREATE,
    ACCEPT,
    ASSIGN,
    PICK_UP,
    COMPLETE,
    CANCEL
  }
}
