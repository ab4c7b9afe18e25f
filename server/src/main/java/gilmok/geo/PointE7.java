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

  /**
   * A number of 40 bits that is mostly near for points that are near: their place on a Z-shaped
   * curve (G. M. Morton, A Computer Oriented Geodetic Data Base, IBM, 1966), to some 45 m.
   */
  public static long zOrder(long point) {
    return (spread(latE7(point) >>> 12) << 1) | spread(lonE7(point) >>> 12);
  }

  /** Puts a zero before each of 20 bits. */
  private static long spread(long bits) {
    long spread = (bits | (bits << 16)) & 0x0000_FFFF_0000_FFFFL;
    spread = (spread | (spread << 8)) & 0x00FF_00FF_00FF_00FFL;
    spread = (spread | (spread << 4)) & 0x0F0F_0F0F_0F0F_0F0FL;
    spread = (spread | (spread << 2)) & 0x3333_3333_3333_3333L;
    return (spread | (spread << 1)) & 0x5555_5555_5555_5555L;
  }

  /** The point of a latitude and a longitude, in 1e-7 degrees. */
  public static long of(int latE7, int lonE7) {
    return (long) latE7 << 32 | (lonE7 & 0xFFFF_FFFFL);
  }
}
