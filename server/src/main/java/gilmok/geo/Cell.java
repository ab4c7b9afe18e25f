package gilmok.geo;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A square of latitudes and longitudes, 2^{@link #shift} wide: an {@link InnerNode} of four smaller
 * ones, or a {@link LeafNode}. Its place never changes.
 */
abstract sealed class Cell {
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

  /**
   * A cell of four quarters, each missing until something was in it.
   *
   * <p>Changed by the index's writer, which publishes a quarter after filling it; any thread reads.
   */
  static final class InnerNode extends Cell {
    static final int QUARTERS = 4;
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(Cell[].class);

    private final @Nullable Cell[] quarters = new Cell[QUARTERS];

    InnerNode(@Nullable InnerNode parent, int lat, int lon) {
      super(parent, lat, lon);
    }

    @Nullable Cell quarter(int index) {
      return (Cell) CELLS.getAcquire(quarters, index);
    }

    int indexOf(int lat, int lon) {
      int bit = shift - 1;
      return (lat >>> bit & 1) << 1 | (lon >>> bit & 1);
    }

    /** Sets the quarter that the cell is. */
    void set(Cell cell) {
      CELLS.setRelease(quarters, indexOf(cell.south, cell.west), cell);
    }

    /**
     * The leaf that a spot at a point goes to: it has room. Made, enlarged or divided as needed.
     */
    LeafNode leafFor(int lat, int lon) {
      InnerNode innerNode = this;
      while (true) {
        Cell cell = innerNode.quarter(innerNode.indexOf(lat, lon));
        if (cell instanceof InnerNode next) {
          innerNode = next;
          continue;
        }
        if (cell instanceof LeafNode leaf && leaf.size() < leaf.capacity()) {
          return leaf;
        }
        Cell roomier =
            cell == null ? new LeafNode(innerNode, lat, lon, 1) : ((LeafNode) cell).roomier();
        innerNode.set(roomier);
      }
    }

    /** The number of spots in it, or more than {@code max} if they are more or in further forks. */
    int spots(int max) {
      int spots = 0;
      for (int i = 0; i < QUARTERS && spots <= max; i++) {
        Cell cell = quarter(i);
        if (cell instanceof LeafNode leaf) {
          spots += leaf.size();
        } else if (cell != null) {
          spots = max + 1;
        }
      }
      return spots;
    }

    /** A leaf in its place, with the spots of its leaves. */
    LeafNode merged(InnerNode parent, int spots) {
      LeafNode whole = new LeafNode(parent, south, west, spots);
      for (int i = 0; i < QUARTERS; i++) {
        if (quarter(i) instanceof LeafNode leaf) {
          leaf.handTo(whole);
        }
      }
      return whole;
    }
  }

  /**
   * A cell that holds spots, and beside them their points, so that a reader turns most of them down
   * without a look at the spot.
   *
   * <p>Changed by the index's writer; any thread reads, downwards from {@link #size}: removing
   * moves the last spot down, so that who reads downwards meets it before or after. A leaf that was
   * replaced is never changed again, but the spots in it are.
   */
  static final class LeafNode extends Cell {
    /** At how many spots it is divided. */
    static final int SPOTS_MAX = 32;

    private static final int CAPACITY_MIN = 8;
    private static final VarHandle SPOTS =
        MethodHandles.arrayElementVarHandle(IndexedPoint[].class);
    private static final VarHandle POINTS = MethodHandles.arrayElementVarHandle(long[].class);

    private final @Nullable IndexedPoint[] spots;
    private final long[] points;
    private volatile int size;

    /** Has room for so many spots at least. */
    LeafNode(InnerNode parent, int lat, int lon, int room) {
      super(parent, lat, lon);
      int capacity = CAPACITY_MIN;
      while (capacity < room) {
        capacity *= 2;
      }
      spots = new IndexedPoint[capacity];
      points = new long[capacity];
    }

    int size() {
      return size;
    }

    int capacity() {
      return points.length;
    }

    /** The point in a slot; a moment later it may be another's. */
    long point(int slot) {
      return (long) POINTS.getAcquire(points, slot);
    }

    /** The spot in a slot, if it was not removed since. */
    @Nullable IndexedPoint spot(int slot) {
      return (IndexedPoint) SPOTS.getAcquire(spots, slot);
    }

    /** Takes a spot in; there is room. */
    void add(IndexedPoint indexedPoint, long point) {
      int slot = size;
      POINTS.setRelease(points, slot, point);
      SPOTS.setRelease(spots, slot, indexedPoint);
      size = slot + 1;
      indexedPoint.leaf = this;
      indexedPoint.slot = slot;
    }

    void move(int slot, long point) {
      POINTS.setRelease(points, slot, point);
    }

    void remove(int slot) {
      int last = size - 1;
      IndexedPoint mover = spots[last];
      if (slot != last && mover != null) {
        POINTS.setRelease(points, slot, points[last]);
        SPOTS.setRelease(spots, slot, mover);
        mover.slot = slot;
      }
      SPOTS.setRelease(spots, last, null);
      size = last;
    }

    /** What a full leaf becomes: a larger one, or a fork with all spots in the quarters' leaves. */
    Cell roomier() {
      InnerNode innerNode = place();
      if (capacity() < SPOTS_MAX || shift == 0) {
        return resized(2 * capacity());
      }
      InnerNode divided = new InnerNode(innerNode, south, west);
      for (int i = 0; i < size; i++) {
        long point = points[i];
        handTo(i, divided.leafFor(IndexedPoint.latE7(point), IndexedPoint.lonE7(point)));
      }
      return divided;
    }

    /** Its spots in a leaf of another capacity. */
    LeafNode resized(int room) {
      LeafNode resized = new LeafNode(place(), south, west, room);
      handTo(resized);
      return resized;
    }

    void handTo(LeafNode other) {
      for (int i = 0; i < size; i++) {
        handTo(i, other);
      }
    }

    /** The fork that it is in. */
    InnerNode place() {
      if (parent == null) {
        throw new IllegalStateException("a leaf outside of the tree");
      }
      return parent;
    }

    private void handTo(int slot, LeafNode other) {
      IndexedPoint indexedPoint = spots[slot];
      if (indexedPoint != null) {
        other.add(indexedPoint, points[slot]);
      }
    }
  }
}
