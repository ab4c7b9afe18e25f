package gilmok.lab.day;

/**
 * A point on the plane of a day.
 *
 * @param x metres to the east
 * @param y metres to the north
 */
public record Spot(double x, double y) {
  private static final double ORIGIN_LAT = 37.45;
  private static final double ORIGIN_LON = 126.90;
  private static final double METRES_PER_DEGREE = 111_195;

  /** The point at a latitude and longitude, with the plane placed in Seoul. */
  public static Spot at(double lat, double lon) {
    return new Spot(
        (lon - ORIGIN_LON) * METRES_PER_DEGREE * Math.cos(Math.toRadians(ORIGIN_LAT)),
        (lat - ORIGIN_LAT) * METRES_PER_DEGREE);
  }

  /** The distance to another point. */
  public double metresTo(Spot other) {
    return Math.hypot(x - other.x, y - other.y);
  }

  /** The point at a share of the way to another one: this one at 0, the other at 1. */
  Spot towards(Spot other, double share) {
    return new Spot(x + share * (other.x - x), y + share * (other.y - y));
  }

  /** The latitude, with the plane placed in Seoul. */
  public double lat() {
    return ORIGIN_LAT + y / METRES_PER_DEGREE;
  }

  /** The longitude, with the plane placed in Seoul. */
  public double lon() {
    return ORIGIN_LON + x / (METRES_PER_DEGREE * Math.cos(Math.toRadians(ORIGIN_LAT)));
  }
}
