package gilmok.geo;

import org.jspecify.annotations.Nullable;

/**
 * The base class of the spots in a {@link GeoIndex}. A point is one long, with the latitude in the
 * upper half and the longitude in the lower, so that no thread reads half of a move.
 *
 * <p>Any thread may read the point; only the index's writer moves it. A spot is in at most one
 * index at a time.
 */
public abstract class IndexedPoint {
  private volatile long point;

  /**
   * The leaf that holds the spot; null outside of an index. Its type is known to the index only.
   * Owned by the index's writer.
   */
  @Nullable Object leaf;

  int slot;

  /** A spot that is in no index yet. */
  protected IndexedPoint() {}

  /**
   * Its point, to be read by {@link #latE7(long)} and {@link #lonE7(long)}; 0 before its first
   * move.
   */
  public final long point() {
    return point;
  }

  /** The latitude of a point, in 1e-7 degrees. */
  public static int latE7(long point) {
    return (int) (point >> 32);
  }

  /** The longitude of a point, in 1e-7 degrees. */
  public static int lonE7(long point) {
    return (int) point;
  }

  static long point(int latE7, int lonE7) {
    return (long) latE7 << 32 | (lonE7 & 0xFFFF_FFFFL);
  }

  final void point(long point) {
    this.point = point;
  }
}
