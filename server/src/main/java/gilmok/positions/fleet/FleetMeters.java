package gilmok.positions.fleet;

import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import java.util.function.DoubleSupplier;

/** The metrics of following other nodes. Thread-safe. */
final class FleetMeters {
  private static final String READ = "gilmok_positions_fleet_read_total";
  private static final String READ_HELP = "Positions of all nodes that were read, by their result.";

  private final Meters meters;
  private final Counter taken;
  private final Counter older;
  private final Counter own;
  private final Counter invalid;
  private final Counter rebuilds;
  private final Histogram delay;

  FleetMeters(Meters meters) {
    this.meters = meters;
    taken = meters.counter(READ, READ_HELP, "result", "taken");
    older = meters.counter(READ, READ_HELP, "result", "older");
    own = meters.counter(READ, READ_HELP, "result", "own");
    invalid = meters.counter(READ, READ_HELP, "result", "invalid");
    rebuilds =
        meters.counter(
            "gilmok_positions_fleet_rebuilds_total",
            "Times that all riders were read anew, the one at the start included.");
    delay =
        meters.seconds(
            "gilmok_positions_fleet_delay_seconds",
            "From a position's arrival at its node until it is found here.");
  }

  /** Registers what is read on demand. */
  void watch(DoubleSupplier stalenessSeconds) {
    meters.gauge(
        "gilmok_positions_fleet_staleness_seconds",
        "How far the positions of other nodes are behind.",
        stalenessSeconds);
  }

  /** Counts positions of other nodes. */
  void read(int takenNow, int olderNow) {
    taken.add(takenNow);
    older.add(olderNow);
  }

  /** Counts a position of this node that came back. */
  void own() {
    own.increment();
  }

  /** Counts an entry that is no position. */
  void invalid() {
    invalid.increment();
  }

  /** Counts a begin from all riders. */
  void rebuild() {
    rebuilds.increment();
  }

  /** Records how long a position took to come here. */
  void delayed(long nanos) {
    delay.record(nanos);
  }
}
