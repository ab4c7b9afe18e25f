package gilmok.deliveries;

import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import java.util.function.IntSupplier;

/** The metrics of archiving and removing old deliveries. Thread-safe. */
final class RemovalMeters {
  final Counter archived;
  final Counter removed;
  final Counter deferred;
  final Histogram stepSeconds;
  private volatile int open;
  private volatile int untold;
  private volatile int unreadable;

  RemovalMeters(Meters meters) {
    archived =
        meters.counter("gilmok_deliveries_archived_total", "Deliveries written to the archive.");
    removed =
        meters.counter("gilmok_deliveries_removed_total", "Archived deliveries that were removed.");
    deferred =
        meters.counter(
            "gilmok_deliveries_removal_deferred_total",
            "Steps of archiving and removing that were put off under load.");
    stepSeconds =
        meters.seconds("gilmok_deliveries_removal_seconds", "One step of removing deliveries.");
    overdue(meters, "open", () -> open);
    overdue(meters, "untold", () -> untold);
    overdue(meters, "unreadable", () -> unreadable);
  }

  private static void overdue(Meters meters, String cause, IntSupplier count) {
    meters.gauge(
        "gilmok_deliveries_overdue",
        "Deliveries over deliveries.keep that stay, as of the last look at all.",
        count::getAsInt,
        "cause",
        cause);
  }

  /** What the last look has found to stay. */
  void overdue(int open, int untold, int unreadable) {
    this.open = open;
    this.untold = untold;
    this.unreadable = unreadable;
  }
}
