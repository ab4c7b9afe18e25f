package gilmok.lab.fleet;

import java.util.Arrays;
import java.util.function.IntPredicate;

/** A grid of square cells over a set of places, for a fast search of the nearest. Immutable. */
final class Cells {
  private final double[] x;
  private final double[] y;
  private final double side;
  private final double left;
  private final double bottom;
  private final int columns;
  private final int rows;
  private final int[] first;
  private final int[] members;

  Cells(double[] x, double[] y, double side) {
    this.x = x;
    this.y = y;
    this.side = side;
    left = Arrays.stream(x).min().orElse(0);
    bottom = Arrays.stream(y).min().orElse(0);
    columns = 1 + (int) ((Arrays.stream(x).max().orElse(0) - left) / side);
    rows = 1 + (int) ((Arrays.stream(y).max().orElse(0) - bottom) / side);
    first = new int[columns * rows + 1];
    for (int i = 0; i < x.length; i++) {
      first[cell(i) + 1]++;
    }
    for (int i = 0; i + 1 < first.length; i++) {
      first[i + 1] += first[i];
    }
    int[] next = first.clone();
    members = new int[x.length];
    for (int i = 0; i < x.length; i++) {
      members[next[cell(i)]++] = i;
    }
  }

  private int cell(int i) {
    int row = (int) ((y[i] - bottom) / side);
    int column = (int) ((x[i] - left) / side);
    return row * columns + column;
  }

  /** The nearest place that the predicate accepts; -1 if there is none. */
  int nearest(double px, double py, IntPredicate willDo) {
    int column = Math.clamp((int) Math.floor((px - left) / side), 0, columns - 1);
    int row = Math.clamp((int) Math.floor((py - bottom) / side), 0, rows - 1);
    int best = -1;
    double least = Double.MAX_VALUE;
    for (int ring = 0; ring < Math.max(columns, rows); ring++) {
      // Places in farther rings are at least this far away.
      if (best >= 0 && least <= (ring - 1) * side) {
        break;
      }
      for (int r = Math.max(0, row - ring); r <= Math.min(rows - 1, row + ring); r++) {
        boolean edge = Math.abs(r - row) == ring;
        for (int c = column - ring; c <= column + ring; c += edge || ring == 0 ? 1 : 2 * ring) {
          if (c < 0 || c >= columns) {
            continue;
          }
          for (int k = first[r * columns + c]; k < first[r * columns + c + 1]; k++) {
            int i = members[k];
            double distance = Math.hypot(x[i] - px, y[i] - py);
            if (distance < least && willDo.test(i)) {
              least = distance;
              best = i;
            }
          }
        }
      }
    }
    return best;
  }
}
