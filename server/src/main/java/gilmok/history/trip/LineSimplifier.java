package gilmok.history.trip;

import gilmok.geo.Distance;

/**
 * Leaves points out of a line so that no point is farther than a bound from the line that remains,
 * in one pass and without keeping points. The first and the last point remain.
 *
 * <p>The method is cone intersection (C. M. Williams, An Efficient Algorithm for the Piecewise
 * Linear Approximation of Planar Curves, Computer Graphics and Image Processing 8, 1978; J.
 * Sklansky and V. Gonzalez, Fast Polygonal Approximation of Digitized Curves, Pattern Recognition
 * 12, 1980). Seen from the last point that remained, the <i>anchor</i>, a line passes within {@code
 * w} of a point at distance {@code r} if its direction differs from the point's by at most
 * asin(w/r). The directions that all points since the anchor allow are a cone, which gets narrower.
 * A point inside it can be the next end; the first one outside makes the one before it remain.
 *
 * <p>The cone is about lines, but a line through points has ends: a point may lie behind its end.
 * So w is 4/5 of the bound, and an end may be nearer to the anchor than the farthest point by up to
 * 3/5 of it: 3, 4 and 5 are a right triangle, so that point is within the bound of the end.
 *
 * <p>Lines are straight in latitude and longitude, as GeoJSON draws them (RFC 7946, 3.1.1). Metres
 * are measured with the widest circle of latitude that a piece can reach, so they are never too
 * few; for this a piece ends before its latitude has changed by more than a tenth of a degree.
 *
 * <p>Not thread-safe: owned by whoever reads the points.
 */
public final class LineSimplifier implements PointSink {
  private static final int PIECE_LAT_E7 = 1_000_000;
  private static final int QUARTER_CIRCLE_E7 = 900_000_000;
  private static final long HALF_CIRCLE_E7 = 1_800_000_000;
  private static final double METRES_PER_E7 =
      Distance.EARTH_RADIUS_METRES * Math.PI / HALF_CIRCLE_E7;

  private final PointSink sink;
  private final double width;
  private final double slip;

  private boolean hasAnchor;
  private int anchorLat;
  private int anchorLon;
  private double metresPerLon;

  // The point that came last, while it is not told.
  private boolean hasEnd;
  private long endAt;
  private int endLat;
  private int endLon;
  private double endAccuracy;

  private double farthest;

  // The cone, by its borders as unit vectors: counterclockwise from right to left.
  private boolean hasCone;
  private double rightX;
  private double rightY;
  private double leftX;
  private double leftY;

  /** A simplifier that keeps points within some metres of the line, more than 0. */
  public LineSimplifier(double metres, PointSink sink) {
    if (!(metres > 0)) {
      throw new IllegalArgumentException("simplify: more than 0 metres");
    }
    this.sink = sink;
    this.width = metres * 4 / 5;
    this.slip = metres * 3 / 5;
  }

  @Override
  public void point(long atMillis, int latE7, int lonE7, double accuracy) {
    if (!hasAnchor) {
      sink.point(atMillis, latE7, lonE7, accuracy);
      anchor(latE7, lonE7);
      return;
    }
    if (!reaches(latE7, lonE7)) {
      if (hasEnd) {
        sink.point(endAt, endLat, endLon, endAccuracy);
        anchor(endLat, endLon);
      }
      if (!reaches(latE7, lonE7)) { // Too far for one piece.
        sink.point(atMillis, latE7, lonE7, accuracy);
        anchor(latE7, lonE7);
        return;
      }
    }
    hasEnd = true;
    endAt = atMillis;
    endLat = latE7;
    endLon = lonE7;
    endAccuracy = accuracy;
  }

  @Override
  public void end() {
    if (hasEnd) {
      sink.point(endAt, endLat, endLon, endAccuracy);
    }
    hasAnchor = false;
    hasEnd = false;
    sink.end();
  }

  private void anchor(int lat, int lon) {
    hasAnchor = true;
    hasEnd = false;
    hasCone = false;
    farthest = 0;
    anchorLat = lat;
    anchorLon = lon;
    int widest = Math.max(0, Math.abs(lat) - PIECE_LAT_E7);
    metresPerLon = METRES_PER_E7 * Math.cos(Math.PI / 2 * ((double) widest / QUARTER_CIRCLE_E7));
  }

  /** Whether a point can end the line from the anchor; if so, narrows the cone by it. */
  private boolean reaches(int lat, int lon) {
    long north = (long) lat - anchorLat;
    if (Math.abs(north) > PIECE_LAT_E7) {
      return false;
    }
    double x = turn((long) lon - anchorLon) * metresPerLon;
    double y = north * METRES_PER_E7;
    double r = Math.hypot(x, y);
    if (!isInCone(x, y) || r < farthest - slip) {
      return false;
    }
    farthest = Math.max(farthest, r);
    if (r > width) {
      narrow(x / r, y / r, width / r);
    }
    return true;
  }

  /** The last condition is for a cone so narrow that rounding leaves one direction of it. */
  private boolean isInCone(double x, double y) {
    return !hasCone
        || (cross(rightX, rightY, x, y) >= 0
            && cross(x, y, leftX, leftY) >= 0
            && x * (rightX + leftX) + y * (rightY + leftY) >= 0);
  }

  private void narrow(double x, double y, double sine) {
    double cosine = Math.sqrt(1 - sine * sine);
    double newRightX = x * cosine + y * sine;
    double newRightY = y * cosine - x * sine;
    double newLeftX = x * cosine - y * sine;
    double newLeftY = y * cosine + x * sine;
    if (!hasCone || cross(rightX, rightY, newRightX, newRightY) > 0) {
      rightX = newRightX;
      rightY = newRightY;
    }
    if (!hasCone || cross(newLeftX, newLeftY, leftX, leftY) > 0) {
      leftX = newLeftX;
      leftY = newLeftY;
    }
    hasCone = true;
  }

  private static double cross(double x, double y, double otherX, double otherY) {
    return x * otherY - y * otherX;
  }

  /** The difference of two longitudes, the short way round. */
  private static long turn(long difference) {
    if (difference > HALF_CIRCLE_E7) {
      return difference - 2 * HALF_CIRCLE_E7;
    }
    return difference < -HALF_CIRCLE_E7 ? difference + 2 * HALF_CIRCLE_E7 : difference;
  }
}
