package gilmok.geo;

/**
 * A point as one long: the latitude in the upper half and the longitude in the lower, in 1e-7
 * degrees. So no thread reads half of a move.
 */
public final class PointE7 {
  private PointE7() {}

  /** The latitude of a point, in 1e-7 degrees. */
  public static int latE7(long point) {
    return (int) (point >> 32);
  }

  /** The longitude of a point, in 1e-7 degrees. */
  public static int lonE7(long point) {
    return (int) point;
  }

  static long of(int latE7, int lonE7) {
    return (long) latE7 << 32 | (lonE7 & 0xFFFF_FFFFL);
  }
}
