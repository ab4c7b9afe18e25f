package gilmok.geo;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A cell that holds spots, and beside them their points, so that a reader turns most of them down
 * without a look at the spot.
 *
 * <p>Changed by the index's writer; any thread reads, downwards from {@link #size}: removing moves
 * the last spot down, so that who reads downwards meets it before or after. A leaf that was
 * replaced is never changed again, but the spots in it are.
 */
final class LeafNode extends Cell {
  /** At how many spots it is divided. */
  static final int SPOTS_MAX = 32;

  private static final int CAPACITY_MIN = 8;
  private static final VarHandle SPOTS = MethodHandles.arrayElementVarHandle(IndexedPoint[].class);
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
