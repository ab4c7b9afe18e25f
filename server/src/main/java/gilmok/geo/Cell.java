package gilmok.geo;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
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
    LeafNode leafFor(int lat, int lon, Spots spots) {
      InnerNode innerNode = this;
      while (true) {
        Cell cell = innerNode.quarter(innerNode.indexOf(lat, lon));
        if (cell instanceof InnerNode next) {
          innerNode = next;
          continue;
        }
        if (cell instanceof LeafNode leaf) {
          if (leaf.hasRoom()) {
            return leaf;
          }
          innerNode.set(leaf.divided(spots));
        } else {
          innerNode.set(new LeafNode(innerNode, lat, lon, 1));
        }
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
    LeafNode merged(InnerNode parent, int room, Spots spots) {
      LeafNode whole = new LeafNode(parent, south, west, room);
      for (int i = 0; i < QUARTERS; i++) {
        if (quarter(i) instanceof LeafNode leaf) {
          leaf.handTo(whole, spots);
        }
      }
      return whole;
    }
  }

  /**
   * A cell that holds spots. A slot is one long: in its upper half the point's place in the square,
   * 16 bits each way, by which a reader rejects most spots without loading their points; in its
   * lower half the spot's number. In squares wider than 2^16 the place is rounded down.
   *
   * <p>Changed only by the index's writer. Any thread reads, from the last slot ({@link #size})
   * down: removing a spot moves the last one into its slot, so a reader that goes down meets it
   * before or after the move. A leaf that was replaced never changes again, but the spots in it do;
   * the same holds for the slots of a leaf that was resized.
   */
  static final class LeafNode extends Cell {
    /** The number of spots above which a leaf is divided. */
    static final int SPOTS_MAX = 64;

    private static final int CAPACITY_STEP = 8;
    private static final int PLACE_BITS = 16;
    private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(long[].class);

    private volatile long[] slots;
    private volatile int size;

    /** A leaf with room for at least {@code room} spots. */
    LeafNode(InnerNode parent, int lat, int lon, int room) {
      super(parent, lat, lon);
      slots = new long[Math.ceilDiv(room, CAPACITY_STEP) * CAPACITY_STEP];
    }

    int size() {
      return size;
    }

    int capacity() {
      return slots.length;
    }

    /**
     * The present slots, which a reader takes before {@link #size}; if more spots have come since,
     * there are fewer slots than spots.
     */
    long[] slots() {
      return slots;
    }

    /** What is in a slot; by the next read it may be another spot. */
    static long content(long[] slots, int slot) {
      return (long) SLOTS.getAcquire(slots, slot);
    }

    /** The last spot. For the writer only. */
    int last() {
      return spot(slots[size - 1]);
    }

    /** The number of the spot in what {@link #content} returned. */
    static int spot(long content) {
      return (int) content;
    }

    /** The least latitude of a content; the greatest is {@link #blur} more. */
    int lat(long content) {
      return bottom(south) + ((int) (content >>> 48) << dropped());
    }

    /** The least longitude of a content; the greatest is {@link #blur} more. */
    int lon(long content) {
      return bottom(west) + (((int) (content >>> 32) & ((1 << PLACE_BITS) - 1)) << dropped());
    }

    /** How much greater a latitude or longitude may be than in its slot. */
    int blur() {
      return (1 << dropped()) - 1;
    }

    /** Adds a spot; there must be room. */
    void add(int spot, long point, Spots spots) {
      int slot = size;
      SLOTS.setRelease(slots, slot, slotOf(spot, point));
      size = slot + 1;
      spots.place(spot, this, slot);
    }

    void move(int slot, int spot, long point) {
      SLOTS.setRelease(slots, slot, slotOf(spot, point));
    }

    void remove(int slot, Spots spots) {
      int last = size - 1;
      if (slot != last) {
        long mover = slots[last];
        SLOTS.setRelease(slots, slot, mover);
        spots.place(spot(mover), this, slot);
      }
      size = last;
    }

    /** Whether there is room for one more spot; it is made if the leaf may grow. */
    boolean hasRoom() {
      int room = capacity();
      if (size == room) {
        if (room >= SPOTS_MAX && shift > 0) {
          return false;
        }
        resize(room < SPOTS_MAX ? room + CAPACITY_STEP : 2 * room);
      }
      return true;
    }

    /** Takes another number of slots, with the same spots in them. */
    void resize(int room) {
      slots = Arrays.copyOf(slots, room);
    }

    /** The replacement of a full leaf: an inner node with all spots in its quarters. */
    InnerNode divided(Spots spots) {
      InnerNode divided = new InnerNode(place(), south, west);
      for (int i = 0; i < size; i++) {
        int spot = spot(slots[i]);
        long point = point(slots[i], spots);
        divided.leafFor(PointE7.latE7(point), PointE7.lonE7(point), spots).add(spot, point, spots);
      }
      return divided;
    }

    void handTo(LeafNode other, Spots spots) {
      for (int i = 0; i < size; i++) {
        other.add(spot(slots[i]), point(slots[i], spots), spots);
      }
    }

    private long point(long content, Spots spots) {
      return dropped() == 0 ? PointE7.of(lat(content), lon(content)) : spots.point(spot(content));
    }

    /** The inner node that it is in. */
    InnerNode place() {
      if (parent == null) {
        throw new IllegalStateException("a leaf outside of the tree");
      }
      return parent;
    }

    private long slotOf(int spot, long point) {
      long mask = (1L << shift) - 1;
      long up = (PointE7.latE7(point) & mask) >>> dropped();
      long right = (PointE7.lonE7(point) & mask) >>> dropped();
      return (((up << PLACE_BITS) | right) << 32) | spot;
    }

    private int dropped() {
      return Math.max(0, shift - PLACE_BITS);
    }

    /** The edge of the square as it was before it was moved to the Earth's limit. */
    private int bottom(int edge) {
      return (int) (edge & -(1L << shift));
    }
  }
}
