package gilmok.geo;

import org.jspecify.annotations.Nullable;

/**
 * A square of latitudes and longitudes, 2^{@link #shift} wide: a {@link InnerNode} of four smaller
 * ones, or a {@link LeafNode}. Its place never changes.
 */
abstract sealed class Cell permits InnerNode, LeafNode {
  final @Nullable InnerNode parent;
  final int shift;

  /** Its edges, all inside; those beyond the Earth are drawn in. */
  final int south;

  final int west;
  final int north;
  final int east;

  /** Zero until somebody asks: most cells that riders pass through come and go unasked. */
  private volatile double cosineMin;

  /**
   * The quarter of a fork that a point is in, or the whole square.
   *
   * @param parent null for the whole
   */
  Cell(@Nullable InnerNode parent, int lat, int lon) {
    this.parent = parent;
    shift = parent == null ? Integer.SIZE : parent.shift - 1;
    long side = 1L << shift;
    long bottom = lat & -side;
    long left = lon & -side;
    if (parent == null) {
      bottom = Integer.MIN_VALUE;
      left = Integer.MIN_VALUE;
    }
    south = (int) Math.max(bottom, -Distance.LAT_E7_MAX);
    west = (int) Math.max(left, -Distance.LON_E7_MAX);
    north = (int) Math.min(bottom + side - 1, Distance.LAT_E7_MAX);
    east = (int) Math.min(left + side - 1, Distance.LON_E7_MAX);
  }

  /** The least cosine of the latitudes in it: that of the one farthest from the equator. */
  final double cosineMin() {
    double least = cosineMin;
    if (least == 0) {
      least = Distance.cosine(Math.max(Math.abs(south), Math.abs(north)));
      cosineMin = least;
    }
    return least;
  }

  final boolean covers(int lat, int lon) {
    return parent == null || ((lat ^ south) >>> shift | (lon ^ west) >>> shift) == 0;
  }
}
