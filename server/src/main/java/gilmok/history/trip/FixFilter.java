package gilmok.history.trip;

import gilmok.geo.Distance;

/**
 * Drops fixes that cannot be, and lets the others through, in their order:
 *
 * <ul>
 *   <li>all but one of an instant, as a rider is at one place at a time: the most accurate stays,
 *       of equally accurate ones the one farthest south, then west. So the order in which points of
 *       one instant come does not matter, nor how often they come;
 *   <li>those whose own accuracy is worse than {@value #ACCURACY_MAX_METRES} m: places of cells;
 *   <li>those that nobody could have reached from the one before, at {@value
 *       #SPEED_MAX_METRES_PER_SECOND} m/s: jumps. When {@value #JUMP_POINTS} in a row are reached
 *       from each other, the rider is believed to be there, and they go on from the last of them.
 * </ul>
 *
 * <p>Not thread-safe: owned by whoever reads the points.
 */
public final class FixFilter implements PointSink {
  /** The accuracy up to which a fix is used. */
  public static final int ACCURACY_MAX_METRES = 200;

  /** The speed up to which a fix is believed: 216 km/h. */
  public static final int SPEED_MAX_METRES_PER_SECOND = 60;

  /** How many fixes in a row, each reached from the last, are believed after a jump. */
  public static final int JUMP_POINTS = 5;

  private static final long SHORTEST_STEP_MILLIS = 1_000;

  private final PointSink sink;

  // The point of the latest instant, until a later one comes.
  private boolean isHolding;
  private long heldAt;
  private int heldLat;
  private int heldLon;
  private double heldAccuracy;

  // The last point let through, and the last one that could not be reached from it.
  private boolean hasPassed;
  private long passedAt;
  private int passedLat;
  private int passedLon;
  private int jumps;
  private long jumpAt;
  private int jumpLat;
  private int jumpLon;
  private long dropped;

  /** A filter before a sink. */
  public FixFilter(PointSink sink) {
    this.sink = sink;
  }

  /** How many points were dropped since the filter was made. */
  public long dropped() {
    return dropped;
  }

  @Override
  public void point(long atMillis, int latE7, int lonE7, double accuracy) {
    if (isHolding) {
      if (atMillis < heldAt) {
        throw new IllegalArgumentException(
            "point of " + atMillis + " after one of " + heldAt + ": sort them by time");
      }
      if (atMillis == heldAt) {
        dropped++;
        if (isBetter(latE7, lonE7, accuracy)) {
          hold(atMillis, latE7, lonE7, accuracy);
        }
        return;
      }
      judge();
    }
    hold(atMillis, latE7, lonE7, accuracy);
  }

  @Override
  public void end() {
    if (isHolding) {
      judge();
    }
    isHolding = false;
    hasPassed = false;
    jumps = 0;
    sink.end();
  }

  /** Whether a rider can come so far within a time. */
  static boolean isPossible(double metres, long millis) {
    return metres
        <= SPEED_MAX_METRES_PER_SECOND * (Math.max(millis, SHORTEST_STEP_MILLIS) / 1_000.0);
  }

  private void hold(long atMillis, int latE7, int lonE7, double accuracy) {
    isHolding = true;
    heldAt = atMillis;
    heldLat = latE7;
    heldLon = lonE7;
    heldAccuracy = accuracy;
  }

  /** Compares with the one held, of the same instant. NaN is worse than any number. */
  private boolean isBetter(int latE7, int lonE7, double accuracy) {
    int order = Double.compare(accuracy, heldAccuracy);
    if (order == 0) {
      order = Integer.compare(latE7, heldLat);
    }
    return order < 0 || (order == 0 && lonE7 < heldLon);
  }

  private void judge() {
    if (heldAccuracy > ACCURACY_MAX_METRES) {
      dropped++;
    } else if (!hasPassed || isReached(passedAt, passedLat, passedLon)) {
      pass();
    } else {
      jumps = jumps > 0 && isReached(jumpAt, jumpLat, jumpLon) ? jumps + 1 : 1;
      jumpAt = heldAt;
      jumpLat = heldLat;
      jumpLon = heldLon;
      if (jumps >= JUMP_POINTS) {
        pass();
      } else {
        dropped++;
      }
    }
  }

  private boolean isReached(long at, int lat, int lon) {
    return isPossible(Distance.metres(lat, lon, heldLat, heldLon), heldAt - at);
  }

  private void pass() {
    hasPassed = true;
    passedAt = heldAt;
    passedLat = heldLat;
    passedLon = heldLon;
    jumps = 0;
    sink.point(heldAt, heldLat, heldLon, heldAccuracy);
  }
}
