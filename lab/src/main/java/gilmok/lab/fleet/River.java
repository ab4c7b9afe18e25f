package gilmok.lab.fleet;

import gilmok.lab.fleet.Seoul.Bridge;
import java.util.List;

/**
 * The Han river: a line through the middles of its bridges, at each as wide as the bridge is long.
 */
final class River {
  private final double[] x;
  private final double[] y;
  private final double[] halfWidth;

  River(List<Bridge> bridges) {
    int count = bridges.size() + 2;
    x = new double[count];
    y = new double[count];
    halfWidth = new double[count];
    for (int i = 1; i < count - 1; i++) {
      Bridge bridge = bridges.get(i - 1);
      x[i] = FlatMap.x(bridge.lon());
      y[i] = FlatMap.y(bridge.lat());
      halfWidth[i] = bridge.length() / 2;
    }
    prolong(0, 1, 2);
    prolong(count - 1, count - 2, count - 3);
  }

  /** Extends the river in a straight line beyond its first and last bridge. */
  private void prolong(int end, int last, int before) {
    double length = Math.hypot(x[last] - x[before], y[last] - y[before]);
    x[end] = x[last] + (x[last] - x[before]) / length * 4_000;
    y[end] = y[last] + (y[last] - y[before]) / length * 4_000;
    halfWidth[end] = halfWidth[last];
  }

  /** How many places its middle line has. */
  int size() {
    return x.length;
  }

  double x(int place) {
    return x[place];
  }

  double y(int place) {
    return y[place];
  }

  double halfWidth(int place) {
    return halfWidth[place];
  }

  /** The distance of a place from the nearer bank, in metres; negative in the water. */
  double clearance(double px, double py) {
    double least = Double.MAX_VALUE;
    for (int i = 0; i + 1 < x.length; i++) {
      double dx = x[i + 1] - x[i];
      double dy = y[i + 1] - y[i];
      double along = ((px - x[i]) * dx + (py - y[i]) * dy) / (dx * dx + dy * dy);
      double t = Math.clamp(along, 0, 1);
      double distance = Math.hypot(px - x[i] - t * dx, py - y[i] - t * dy);
      least = Math.min(least, distance - halfWidth[i] - t * (halfWidth[i + 1] - halfWidth[i]));
    }
    return least;
  }

  /**
   * Whether a place lies north of the river's middle. The bridges are ordered from west to east.
   */
  boolean isNorth(double px, double py) {
    int i = 0;
    while (i + 2 < x.length && px > x[i + 1]) {
      i++;
    }
    return py > y[i] + (px - x[i]) / (x[i + 1] - x[i]) * (y[i + 1] - y[i]);
  }

  /** Whether the straight line between two places ashore crosses the water. */
  boolean parts(double ax, double ay, double bx, double by) {
    if (isNorth(ax, ay) != isNorth(bx, by)) {
      return true;
    }
    int steps = 1 + (int) (Math.hypot(bx - ax, by - ay) / 25);
    for (int i = 1; i < steps; i++) {
      double t = (double) i / steps;
      if (clearance(ax + t * (bx - ax), ay + t * (by - ay)) < 0) {
        return true;
      }
    }
    return false;
  }

  /** The direction of the river at a bridge, as an angle in radians, counted from east. */
  double course(int bridge) {
    int i = bridge + 1;
    return Math.atan2(y[i + 1] - y[i - 1], x[i + 1] - x[i - 1]);
  }
}
