package gilmok.geo;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The cells that a search has yet to visit, nearest first: a binary heap. It grows to the largest
 * size that a search needed.
 *
 * <p>Not thread-safe: owned by one thread.
 */
final class SearchQueue {
  private @Nullable Cell[] cells = new Cell[64];
  private double[] nearest = new double[64];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  /** The distance of the nearest cell. */
  double nearest() {
    return nearest[0];
  }

  void add(Cell cell, double distance) {
    if (size == cells.length) {
      cells = Arrays.copyOf(cells, 2 * size);
      nearest = Arrays.copyOf(nearest, 2 * size);
    }
    int at = size++;
    while (at > 0 && nearest[(at - 1) / 2] > distance) {
      int above = (at - 1) / 2;
      cells[at] = cells[above];
      nearest[at] = nearest[above];
      at = above;
    }
    cells[at] = cell;
    nearest[at] = distance;
  }

  /** Removes and returns the nearest cell. */
  Cell take() {
    Cell taken = cells[0];
    size--;
    Cell cell = cells[size];
    double distance = nearest[size];
    cells[size] = null;
    int at = 0;
    for (int below = 1; below < size; below = 2 * at + 1) {
      if (below + 1 < size && nearest[below + 1] < nearest[below]) {
        below++;
      }
      if (nearest[below] >= distance) {
        break;
      }
      cells[at] = cells[below];
      nearest[at] = nearest[below];
      at = below;
    }
    if (size > 0) {
      cells[at] = cell;
      nearest[at] = distance;
    }
    if (taken == null) {
      throw new IllegalStateException("empty");
    }
    return taken;
  }

  void clear() {
    Arrays.fill(cells, 0, size, null);
    size = 0;
  }
}
