package gilmok.lab.fleet;

import gilmok.lab.fleet.Seoul.Bridge;
import gilmok.lab.fleet.Seoul.Disc;
import gilmok.lab.fleet.Seoul.District;
import gilmok.lab.fleet.Streets.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Builds the streets: each district is a grid with a direction of its own, slightly irregular, with
 * main roads and gaps; adjacent districts are joined; the river is crossed only by bridges. Parts
 * that cannot be reached are removed. Not thread-safe; used once.
 */
final class StreetsPlan {
  private static final double DISTRICT_RADIUS = 2_700;
  private static final double DEPTH_TO_LENGTH = 1.25;
  private static final double CROOKED = 0.09;
  private static final double BANK = 70;
  private static final double GAPS = 0.1;
  private static final double BRIDGE_STEP = 150;
  private static final double RAMP_MAX = 1_500;
  private static final int MAIN_ROW = 5;
  private static final int MAIN_COLUMN = 6;

  private final River river;
  private final RandomGenerator random;
  private final List<double[]> crossings = new ArrayList<>();
  private final List<Integer> districtOf = new ArrayList<>();
  private final BitSet lights = new BitSet();
  private final BitSet borders = new BitSet();
  private final List<Way> ways = new ArrayList<>();

  private record Way(int from, int to, Kind kind) {}

  private StreetsPlan(River river, long seed) {
    this.river = river;
    this.random = new SplittableRandom(seed);
  }

  static Streets lay(River river, long seed) {
    StreetsPlan plan = new StreetsPlan(river, seed);
    for (int i = 0; i < Seoul.DISTRICTS.size(); i++) {
      plan.district(i);
    }
    Cells ashore = plan.cells();
    plan.joinDistricts(ashore);
    for (int i = 0; i < Seoul.BRIDGES.size(); i++) {
      plan.bridge(i, ashore);
    }
    return plan.streets();
  }

  private void district(int number) {
    District district = Seoul.DISTRICTS.get(number);
    int reach = (int) (DISTRICT_RADIUS / district.block());
    int side = 2 * reach + 1;
    int[] grid = new int[side * side];
    double cos = Math.cos(Math.toRadians(district.angle()));
    double sin = Math.sin(Math.toRadians(district.angle()));
    for (int row = 0; row < side; row++) {
      for (int column = 0; column < side; column++) {
        double crooked = CROOKED * district.block();
        double along = (column - reach) * district.block() + crooked * random.nextGaussian();
        double across =
            (row - reach) * district.block() * DEPTH_TO_LENGTH + crooked * random.nextGaussian();
        double x = district.x() + along * cos - across * sin;
        double y = district.y() + along * sin + across * cos;
        grid[row * side + column] = isStreet(number, x, y) ? add(x, y, number) : -1;
        if (row % MAIN_ROW == 0 && column % MAIN_COLUMN == 0 && grid[row * side + column] >= 0) {
          lights.set(grid[row * side + column]);
        }
      }
    }
    joinGrid(grid, side);
  }

  private void joinGrid(int[] grid, int side) {
    for (int row = 0; row < side; row++) {
      for (int column = 0; column < side; column++) {
        int here = grid[row * side + column];
        if (here < 0) {
          continue;
        }
        int east = column + 1 < side ? grid[row * side + column + 1] : -1;
        int north = row + 1 < side ? grid[(row + 1) * side + column] : -1;
        int west = column > 0 ? grid[row * side + column - 1] : -1;
        int south = row > 0 ? grid[(row - 1) * side + column] : -1;
        if (east < 0 || north < 0 || west < 0 || south < 0) {
          borders.set(here);
        }
        street(here, east, row % MAIN_ROW == 0);
        street(here, north, column % MAIN_COLUMN == 0);
      }
    }
  }

  private void street(int from, int to, boolean main) {
    if (to >= 0 && (main || random.nextDouble() >= GAPS)) {
      way(from, to, main ? Kind.MAIN : Kind.SIDE);
    }
  }

  /**
   * Whether a place has streets of a district: the district is the nearest one, and the place is
   * ashore and on no hill.
   */
  private boolean isStreet(int district, double x, double y) {
    double own = distance(district, x, y);
    if (own > DISTRICT_RADIUS || river.clearance(x, y) < BANK) {
      return false;
    }
    for (Disc hill : Seoul.HILLS) {
      if (hill.holds(x, y)) {
        return false;
      }
    }
    for (int i = 0; i < Seoul.DISTRICTS.size(); i++) {
      if (i != district && distance(i, x, y) < own && isSameBank(i, x, y)) {
        return false;
      }
    }
    return isSameBank(district, x, y);
  }

  private boolean isSameBank(int district, double x, double y) {
    District there = Seoul.DISTRICTS.get(district);
    return river.isNorth(there.x(), there.y()) == river.isNorth(x, y);
  }

  private static double distance(int district, double x, double y) {
    District there = Seoul.DISTRICTS.get(district);
    return Math.hypot(x - there.x(), y - there.y());
  }

  private Cells cells() {
    return new Cells(
        crossings.stream().mapToDouble(at -> at[0]).toArray(),
        crossings.stream().mapToDouble(at -> at[1]).toArray(),
        200);
  }

  /** Continues the streets at a district's edge in the next one. */
  private void joinDistricts(Cells ashore) {
    for (int i = borders.nextSetBit(0); i >= 0; i = borders.nextSetBit(i + 1)) {
      double[] here = crossings.get(i);
      int district = districtOf.get(i);
      int other = ashore.nearest(here[0], here[1], k -> districtOf.get(k) != district);
      if (other < 0) {
        continue;
      }
      double[] there = crossings.get(other);
      double block = Seoul.DISTRICTS.get(district).block();
      if (distance(here, there) < 1.6 * block
          && !river.parts(here[0], here[1], there[0], there[1])) {
        way(i, other, random.nextInt(3) == 0 ? Kind.MAIN : Kind.SIDE);
      }
    }
  }

  private void bridge(int number, Cells ashore) {
    Bridge bridge = Seoul.BRIDGES.get(number);
    double across = river.course(number) + Math.PI / 2;
    double x = FlatMap.x(bridge.lon());
    double y = FlatMap.y(bridge.lat());
    int[] ends = new int[2];
    for (int side = 0; side < 2; side++) {
      double dx = (side == 0 ? 1 : -1) * Math.cos(across);
      double dy = (side == 0 ? 1 : -1) * Math.sin(across);
      double reach = bridge.length() / 2;
      while (river.clearance(x + reach * dx, y + reach * dy) < BANK / 2) {
        reach += 20;
      }
      ends[side] = add(x + reach * dx, y + reach * dy, -1 - number);
      ramps(ends[side], ashore);
    }
    double[] from = crossings.get(ends[0]);
    double[] to = crossings.get(ends[1]);
    int steps = (int) (distance(from, to) / BRIDGE_STEP);
    int last = ends[0];
    for (int i = 1; i < steps; i++) {
      double t = (double) i / steps;
      int next = add(from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1]), -1 - number);
      way(last, next, Kind.BRIDGE);
      last = next;
    }
    way(last, ends[1], Kind.BRIDGE);
  }

  /** Connects a bridge's end to the two nearest streets ashore, unless it is out of town. */
  private void ramps(int head, Cells ashore) {
    double[] here = crossings.get(head);
    int[] joined = {-1};
    for (int i = 0; i < 2; i++) {
      int street =
          ashore.nearest(
              here[0],
              here[1],
              k -> {
                double[] there = crossings.get(k);
                return k != joined[0] && !river.parts(here[0], here[1], there[0], there[1]);
              });
      if (street >= 0 && distance(here, crossings.get(street)) < RAMP_MAX) {
        way(head, street, Kind.MAIN);
        joined[0] = street;
      }
    }
  }

  private static double distance(double[] a, double[] b) {
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  }

  private int add(double x, double y, int district) {
    crossings.add(new double[] {x, y});
    districtOf.add(district);
    return crossings.size() - 1;
  }

  private void way(int from, int to, Kind kind) {
    ways.add(new Way(from, to, kind));
    ways.add(new Way(to, from, kind));
  }

  /** Renumbers the crossings of the largest connected part. */
  private Streets streets() {
    int[][] neighbours = neighbours();
    BitSet kept = largestPart(neighbours);
    int[] number = new int[crossings.size()];
    Arrays.fill(number, -1);
    int count = 0;
    for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
      number[i] = count++;
    }
    double[] x = new double[count];
    double[] y = new double[count];
    boolean[] lit = new boolean[count];
    int[] first = new int[count + 1];
    List<Way> sorted = new ArrayList<>();
    for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
      int now = number[i];
      x[now] = crossings.get(i)[0];
      y[now] = crossings.get(i)[1];
      lit[now] = lights.get(i);
      for (int way : neighbours[i]) {
        sorted.add(ways.get(way));
      }
      first[now + 1] = sorted.size();
    }
    int[] target = sorted.stream().mapToInt(way -> number[way.to]).toArray();
    Kind[] kind = sorted.stream().map(Way::kind).toArray(Kind[]::new);
    return new Streets(x, y, lit, first, target, kind);
  }

  /** The neighbours of each crossing, without duplicates. */
  private int[][] neighbours() {
    List<List<Integer>> of = new ArrayList<>();
    for (int i = 0; i < crossings.size(); i++) {
      of.add(new ArrayList<>());
    }
    for (int way = 0; way < ways.size(); way++) {
      int to = ways.get(way).to;
      List<Integer> from = of.get(ways.get(way).from);
      if (from.stream().noneMatch(other -> ways.get(other).to == to)) {
        from.add(way);
      }
    }
    return of.stream()
        .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
        .toArray(int[][]::new);
  }

  private BitSet largestPart(int[][] neighbours) {
    BitSet seen = new BitSet();
    BitSet best = new BitSet();
    for (int start = 0; start < neighbours.length; start++) {
      if (seen.get(start)) {
        continue;
      }
      BitSet part = new BitSet();
      ArrayDeque<Integer> open = new ArrayDeque<>(List.of(start));
      part.set(start);
      while (!open.isEmpty()) {
        for (int way : neighbours[open.remove()]) {
          int to = ways.get(way).to;
          if (!part.get(to)) {
            part.set(to);
            open.add(to);
          }
        }
      }
      seen.or(part);
      if (part.cardinality() > best.cardinality()) {
        best = part;
      }
    }
    return best;
  }
}
