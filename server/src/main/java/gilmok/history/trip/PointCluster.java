package gilmok.history.trip;

import gilmok.geo.Distance;

/**
 * Points that are near the mean of those before them, as their sums. The sums are of whole numbers,
 * relative to the first point, so that they are exact and the date line is no border. Not
 * thread-safe: owned by a {@link StayFinder}.
 */
final class PointCluster {
  private static final int HALF_CIRCLE_E7 = 1_800_000_000;
  private static final long CIRCLE_E7 = 2L * HALF_CIRCLE_E7;

  private final Way way = new Way();
  private long points;
  private long firstAt;
  private int firstLat;
  private int firstLon;
  private long lastAt;
  private int lastLat;
  private int lastLon;
  private long latSum;
  private long lonSum;
  private int centreLat;
  private int centreLon;

  boolean isEmpty() {
    return points == 0;
  }

  /** The way through its points, with short ways out and back. */
  Way way() {
    return way;
  }

  long firstAt() {
    return firstAt;
  }

  int firstLat() {
    return firstLat;
  }

  int firstLon() {
    return firstLon;
  }

  long lastAt() {
    return lastAt;
  }

  int lastLat() {
    return lastLat;
  }

  int lastLon() {
    return lastLon;
  }

  /** From its first point to its last. */
  long millis() {
    return lastAt - firstAt;
  }

  int centreLat() {
    return centreLat;
  }

  int centreLon() {
    return centreLon;
  }

  boolean isNear(int lat, int lon, double radius) {
    return Distance.metres(centreLat, centreLon, lat, lon) <= radius;
  }

  /** Begins anew with a point. */
  void start(long at, int lat, int lon) {
    clear();
    firstAt = at;
    firstLat = lat;
    firstLon = lon;
    add(at, lat, lon);
  }

  void add(long at, int lat, int lon) {
    points++;
    lastAt = at;
    lastLat = lat;
    lastLon = lon;
    latSum += (long) lat - firstLat;
    lonSum += wrap((long) lon - firstLon);
    centreLat = (int) (firstLat + Math.floorDiv(latSum, points));
    centreLon = (int) wrap(firstLon + Math.floorDiv(lonSum, points));
  }

  void clear() {
    way.clear();
    points = 0;
    latSum = 0;
    lonSum = 0;
  }

  /** A longitude, or a difference of two, within half a circle. */
  private static long wrap(long lon) {
    if (lon > HALF_CIRCLE_E7) {
      return lon - CIRCLE_E7;
    }
    return lon < -HALF_CIRCLE_E7 ? lon + CIRCLE_E7 : lon;
  }
}
