package gilmok.lab.fleet;

/**
 * A network of streets: numbered crossings with places, and the ways from each to its neighbours.
 * Every crossing can be reached from every other. Immutable.
 */
final class Streets {
  /** The kind of a street, and its speed limit. */
  enum Kind {
    SIDE(30, 1.35),
    MAIN(50, 1),
    BRIDGE(60, 1);

    private final double limit;
    private final double detour;

    Kind(double kmPerHour, double detour) {
      this.limit = kmPerHour / 3.6;
      this.detour = detour;
    }

    /** The speed limit in m/s. */
    double limit() {
      return limit;
    }

    /**
     * The factor by which the router lengthens a way of this kind, compared with the best kind; 1
     * or more.
     */
    double detour() {
      return detour;
    }
  }

  private static final double CELL = 200;

  private final double[] x;
  private final double[] y;
  private final boolean[] lights;
  private final int[] first;
  private final int[] target;
  private final Kind[] kind;
  private final float[] length;
  private final Cells cells;

  /**
   * A network.
   *
   * @param x metres east of the centre, by crossing
   * @param y metres north of the centre, by crossing
   * @param lights whether there are traffic lights, by crossing
   * @param first the index of a crossing's first way in the next arrays; one entry more than
   *     crossings
   * @param target the crossing that a way leads to
   * @param kind the kind of a way
   */
  Streets(double[] x, double[] y, boolean[] lights, int[] first, int[] target, Kind[] kind) {
    this.x = x;
    this.y = y;
    this.lights = lights;
    this.first = first;
    this.target = target;
    this.kind = kind;
    this.length = new float[target.length];
    for (int i = 0; i < x.length; i++) {
      for (int way = first[i]; way < first[i + 1]; way++) {
        length[way] = (float) Math.hypot(x[target[way]] - x[i], y[target[way]] - y[i]);
      }
    }
    this.cells = new Cells(x, y, CELL);
  }

  int size() {
    return x.length;
  }

  double x(int crossing) {
    return x[crossing];
  }

  double y(int crossing) {
    return y[crossing];
  }

  boolean hasLights(int crossing) {
    return lights[crossing];
  }

  int firstWay(int crossing) {
    return first[crossing];
  }

  int endWay(int crossing) {
    return first[crossing + 1];
  }

  int target(int way) {
    return target[way];
  }

  double length(int way) {
    return length[way];
  }

  Kind kind(int way) {
    return kind[way];
  }

  /** The index of the way between two neighbours. */
  int way(int from, int to) {
    for (int way = first[from]; way < first[from + 1]; way++) {
      if (target[way] == to) {
        return way;
      }
    }
    throw new IllegalArgumentException(from + " and " + to + " are no neighbours");
  }

  /** The crossing nearest to a place. */
  int nearest(double px, double py) {
    return cells.nearest(px, py, i -> true);
  }

  /**
   * Whether the lights at a crossing are red for a direction. Green and red alternate between the
   * two directions.
   *
   * @param dx the way's direction, with {@code dy}
   * @param millis the time
   */
  boolean isRed(int crossing, double dx, double dy, long millis) {
    long period = 70_000 + crossing * 7_919L % 50_000;
    boolean firstHalf = Math.floorMod(millis + crossing * 104_729L, period) < period / 2;
    return firstHalf == Math.abs(dx) > Math.abs(dy);
  }
}
