package gilmok.lab.fleet;

/**
 * A network of streets: crossings (numbered, with a place) and the ways from each to its
 * neighbours. Every crossing can be reached from every other. Immutable.
 */
final class Streets {
  /** What kind of street, and how fast one may go there. */
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

    /** In metres a second. */
    double limit() {
      return limit;
    }

    /** How much longer a way over the best kind of street is taken instead; 1 or more. */
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
   * @param x east of the middle, by crossing
   * @param y north of the middle, by crossing
   * @param lights whether there are traffic lights, by crossing
   * @param first where a crossing's ways begin in the next arrays; one longer than the crossings
   * @param target where a way leads
   * @param kind what the way is
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

  /** The way between two neighbours. */
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
   * Whether the lights at a crossing stop those who come that way. Green and red take turns between
   * the two directions.
   *
   * @param dx the way's direction, as {@code dy}
   * @param millis the time
   */
  boolean isRed(int crossing, double dx, double dy, long millis) {
    long period = 70_000 + crossing * 7_919L % 50_000;
    boolean firstHalf = Math.floorMod(millis + crossing * 104_729L, period) < period / 2;
    return firstHalf == Math.abs(dx) > Math.abs(dy);
  }
}
