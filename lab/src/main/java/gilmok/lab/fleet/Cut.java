package gilmok.lab.fleet;

import java.util.Arrays;

/** Cuts polygons, by Sutherland and Hodgman: edge by edge of the square that remains. Stateless. */
final class Cut {
  private Cut() {}

  /** The part of a polygon within a square, as x and y in turn; empty for none. */
  static int[] square(int[] polygon, int least, int most) {
    int[] cut = polygon;
    for (int axis = 0; axis < 2; axis++) {
      cut = half(cut, axis, least, 1);
      cut = half(cut, axis, most, -1);
    }
    return cut;
  }

  /** The part where the coordinate of that axis, times the sign, is at least the edge times it. */
  private static int[] half(int[] polygon, int axis, int edge, int sign) {
    int[] kept = new int[2 * polygon.length + 4];
    int count = 0;
    for (int i = 0; i < polygon.length; i += 2) {
      int next = (i + 2) % polygon.length;
      int here = (polygon[i + axis] - edge) * sign;
      int there = (polygon[next + axis] - edge) * sign;
      if (here >= 0) {
        kept[count++] = polygon[i];
        kept[count++] = polygon[i + 1];
      }
      if (here >= 0 != there >= 0) {
        double t = (double) here / (here - there);
        for (int k = 0; k < 2; k++) {
          kept[count++] =
              k == axis
                  ? edge
                  : (int) Math.round(polygon[i + k] + t * (polygon[next + k] - polygon[i + k]));
        }
      }
    }
    return Arrays.copyOf(kept, count);
  }
}
