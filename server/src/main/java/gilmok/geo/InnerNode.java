package gilmok.geo;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A cell of four quarters, each missing until something was in it.
 *
 * <p>Changed by the index's writer, which publishes a quarter after filling it; any thread reads.
 */
final class InnerNode extends Cell {
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

  /** The leaf that a spot at a point goes to: it has room. Made, enlarged or divided as needed. */
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
