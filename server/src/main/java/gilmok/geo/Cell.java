package gilmok.geo;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A square of latitudes and longitudes, 2^{@link #shift} wide: an {@link InnerNode} with four
 * smaller squares, or a {@link LeafNode}. Its place never changes.
 */
abstract sealed class Cell {
  final @Nullable InnerNode parent;
  final int shift;

  /** Its edges, inclusive; those beyond the Earth are moved to the Earth's limits. */
  final int south;

  final int west;
  final int north;
  final int east;

  /** Zero until it is first used: most cells are made and merged again without a search. */
  private volatile double cosineMin;

  /**
   * The quarter of an inner node that contains a point, or the whole square.
   *
   * @param parent null for the whole square
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
   * A cell with four quarters; a quarter is null until a spot is put into it.
   *
   * <p>Changed only by the index's writer, which publishes a quarter after filling it; any thread
   * reads.
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

    /** Puts a cell in the place of the quarter that covers the same square. */
    void set(Cell cell) {
      CELLS.setRelease(quarters, indexOf(cell.south, cell.west), cell);
    }

    /**
     * The leaf for a new spot at a point, with room for it. It is made, enlarged or divided as
     * needed.
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

    /**
     * The number of spots in it; more than {@code max} if there are more, or if a quarter is an
     * inner node.
     */
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

    /** A leaf that replaces this node and holds the spots of its leaves. */
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
   * A cell that holds spots, and beside them a copy of their points, so that a reader can reject
   * most spots without loading them.
   *
   * <p>Changed only by the index's writer. Any thread reads, from the last slot ({@link #size})
   * down: removing a spot moves the last one into its slot, so a reader that goes down meets it
   * before or after the move. A leaf that was replaced never changes again, but the spots in it do.
   */
  static final class LeafNode extends Cell {
    /** The number of spots above which a leaf is divided. */
    static final int SPOTS_MAX = 32;

    private static final int CAPACITY_MIN = 8;
    private static final VarHandle SPOTS =
        MethodHandles.arrayElementVarHandle(IndexedPoint[].class);
    private static final VarHandle POINTS = MethodHandles.arrayElementVarHandle(long[].class);

    private final @Nullable IndexedPoint[] spots;
    private final long[] points;
    private volatile int size;

    /** A leaf with room for at least {@code room} spots. */
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

    /** The point in a slot; by the next read the slot may hold another spot's. */
    long point(int slot) {
      return (long) POINTS.getAcquire(points, slot);
    }

    /** The spot in a slot; null if it was removed meanwhile. */
    @Nullable IndexedPoint spot(int slot) {
      return (IndexedPoint) SPOTS.getAcquire(spots, slot);
    }

    /** Adds a spot; there must be room. */
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

    /**
     * The replacement of a full leaf: a larger leaf, or an inner node with all spots in its
     * quarters.
     */
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

    /** A leaf of another capacity with the same spots. */
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

    /** The inner node that it is in. */
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
