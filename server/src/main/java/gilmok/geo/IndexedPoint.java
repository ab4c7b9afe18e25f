package gilmok.geo;

import org.jspecify.annotations.Nullable;

/**
 * What stands somewhere and can be found by where: the base of what a {@link GeoIndex} holds. Its
 * point is one long, latitude in the upper half and longitude in the lower, so that nobody reads
 * half of a move.
 *
 * <p>Any thread may read the point; only the index's writer moves it. A spot is in one index at a
 * time.
 */
public abstract class IndexedPoint {
  private volatile long point;

  /** Where the index keeps it: what that is, the index alone knows. Its writer's. */
  @Nullable Object leaf;

  int slot;

  /** A spot that is nowhere yet. */
  protected IndexedPoint() {}

  /** Where it is: for {@link #latE7} and {@link #lonE7}. 0 before its first move. */
  public final long point() {
    return point;
  }

  /** The latitude of a point. */
  public static int latE7(long point) {
    return (int) (point >> 32);
  }

  /** The longitude of a point. */
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
