package gilmok.lab.day;

/**
 * A point of a day's plane.
 *
 * @param x metres to the east
 * @param y metres to the north
 */
public record Spot(double x, double y) {
  private static final double ORIGIN_LAT = 37.45;
  private static final double ORIGIN_LON = 126.90;
  private static final double METRES_PER_DEGREE = 111_195;

  /** The point at these degrees, as if the plane lay in Seoul. */
  public static Spot at(double lat, double lon) {
    return new Spot(
        (lon - ORIGIN_LON) * METRES_PER_DEGREE * Math.cos(Math.toRadians(ORIGIN_LAT)),
        (lat - ORIGIN_LAT) * METRES_PER_DEGREE);
  }

  /** How far another one is. */
  public double metresTo(Spot other) {
    return Math.hypot(x - other.x, y - other.y);
  }

  /** The point a share of the way further on: 0 here, 1 there. */
  Spot towards(Spot other, double share) {
    return new Spot(x + share * (other.x - x), y + share * (other.y - y));
  }

  /** Degrees, as if the plane lay in Seoul. */
  public double lat() {
    return ORIGIN_LAT + y / METRES_PER_DEGREE;
  }

  /** Degrees. */
  public double lon() {
    return ORIGIN_LON + x / (METRES_PER_DEGREE * Math.cos(Math.toRadians(ORIGIN_LAT)));
  }
}
