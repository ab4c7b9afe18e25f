package gilmok.performance;

import gilmok.geo.Distance;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way of a rider along positions in the order in which they came, and the time between them.
 * One position whose time lies ahead of three that follow it, as of a clock that was wrong, or of a
 * phone that sent what was newest first, is taken back; any other that is older than the last one
 * is left out. Keeps five positions at most. Not thread-safe.
 */
final class RiderWay {
  /** So many positions in a row that are older than the last one say that it was ahead. */
  private static final int AGREEING = 3;

  private static final double MILLIS = 1_000;

  private final PerformanceConfig config;
  private final IdleTime idleTime;
  private final List<Fix> behind = new ArrayList<>(AGREEING);
  private @Nullable Fix before;
  private @Nullable Fix last;
  private Leg lastLeg = Leg.NONE;
  private double metres;
  private double idleMillis;

  /** How much of a time was idle. */
  @FunctionalInterface
  interface IdleTime {
    /** In milliseconds. */
    double between(long beginMillis, long endMillis);
  }

  private record Fix(long at, double lat, double lon) {}

  /** What one position has added. */
  private record Leg(double metres, double idleMillis) {
    static final Leg NONE = new Leg(0, 0);
  }

  RiderWay(PerformanceConfig config, IdleTime idleTime) {
    this.config = config;
    this.idleTime = idleTime;
  }

  /** The length of the way. */
  double metres() {
    return metres;
  }

  /** The time between positions that was idle, ms. */
  double idleMillis() {
    return idleMillis;
  }

  /** Adds the next position that came. */
  void add(long at, double lat, double lon) {
    Fix fix = new Fix(at, lat, lon);
    Fix newest = last;
    if (newest == null || at > newest.at) {
      behind.clear();
      follow(fix);
      return;
    }
    Fix older = before;
    boolean isRising =
        (older == null || at > older.at) && (behind.isEmpty() || at > behind.getLast().at);
    if (!isRising) {
      behind.clear();
      return;
    }
    behind.add(fix);
    if (behind.size() == AGREEING) {
      metres -= lastLeg.metres;
      idleMillis -= lastLeg.idleMillis;
      last = older;
      before = null;
      behind.forEach(this::follow);
      behind.clear();
    }
  }

  private void follow(Fix fix) {
    Fix from = last;
    lastLeg = from == null ? Leg.NONE : leg(from, fix);
    before = from;
    last = fix;
    metres += lastLeg.metres;
    idleMillis += lastLeg.idleMillis;
  }

  private Leg leg(Fix from, Fix to) {
    long took = to.at - from.at;
    if (took > config.gap().toMillis()) {
      return Leg.NONE;
    }
    double way = Distance.metres(from.lat, from.lon, to.lat, to.lon);
    boolean isLeap = way * MILLIS > (double) config.metresPerSecondMax() * took;
    return new Leg(isLeap ? 0 : way, idleTime.between(from.at, to.at));
  }
}
