package gilmok.lab.fleet;

import gilmok.lab.fleet.Seoul.Disc;
import gilmok.lab.fleet.Seoul.District;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Generates the demand for deliveries: shops stand in clusters, a few in each district; offices
 * order at noon, homes in the evening. Not thread-safe.
 */
final class Demand {
  private static final int CLUSTERS = 6;
  private static final int SHOPS = 12;
  private static final int TRIES = 12;
  private static final long DAY_MILLIS = 86_400_000;
  private static final long SEOUL_OFFSET_MILLIS = 9 * 3_600_000;

  /**
   * The demand of each hour of the day, in hundredths of the highest; it is never zero at night.
   */
  private static final int[] BUSY = {
    55, 45, 40, 40, 40, 40, 45, 55, 60, 60, 70, 95, 100, 85, 65, 60, 65, 85, 100, 100, 90, 80, 70,
    60
  };

  private final Streets streets;
  private final River river;
  private final int[][] shops;
  private final List<Disc> offices = Seoul.HIGH_RISE;

  Demand(Streets streets, River river, long seed) {
    this.streets = streets;
    this.river = river;
    RandomGenerator random = new SplittableRandom(seed);
    shops = new int[Seoul.DISTRICTS.size()][];
    for (int i = 0; i < shops.length; i++) {
      District district = Seoul.DISTRICTS.get(i);
      List<Integer> found = new ArrayList<>();
      for (int cluster = 0; cluster < CLUSTERS; cluster++) {
        double x = district.x() + 900 * random.nextGaussian();
        double y = district.y() + 900 * random.nextGaussian();
        for (int shop = 0; shop < SHOPS; shop++) {
          int crossing =
              streets.nearest(x + 130 * random.nextGaussian(), y + 130 * random.nextGaussian());
          if (isOnLand(crossing)) {
            found.add(crossing);
          }
        }
      }
      shops[i] = found.stream().mapToInt(Integer::intValue).toArray();
    }
  }

  private boolean isOnLand(int crossing) {
    return river.clearance(streets.x(crossing), streets.y(crossing)) > 60;
  }

  /** A random crossing in a district, where a rider waits. */
  int home(int district, RandomGenerator random) {
    District there = Seoul.DISTRICTS.get(district);
    for (int i = 0; i < TRIES; i++) {
      int crossing =
          streets.nearest(
              there.x() + 1_100 * random.nextGaussian(), there.y() + 1_100 * random.nextGaussian());
      if (isOnLand(crossing)) {
        return crossing;
      }
    }
    return shops[district][0];
  }

  /** A shop for a rider's next order: the nearest of a few random ones in the district. */
  int shop(int district, int here, RandomGenerator random) {
    int best = -1;
    for (int i = 0; i < 3; i++) {
      int one = shops[district][random.nextInt(shops[district].length)];
      if (best < 0 || distance(here, one) < distance(here, best)) {
        best = one;
      }
    }
    return best;
  }

  /** A random customer of a shop, within the range of the vehicle. */
  int customer(int shop, Vehicle vehicle, long millis, RandomGenerator random) {
    double x = streets.x(shop);
    double y = streets.y(shop);
    if (isNoon(millis)) {
      Disc office = offices.get(random.nextInt(offices.size()));
      int crossing =
          streets.nearest(
              FlatMap.x(office.lon()) + office.radius() / 2 * random.nextGaussian(),
              FlatMap.y(office.lat()) + office.radius() / 2 * random.nextGaussian());
      if (distance(shop, crossing) > vehicle.nearest()
          && distance(shop, crossing) < vehicle.farthest()
          && isOnLand(crossing)) {
        return crossing;
      }
    }
    int best = shop;
    for (int i = 0; i < TRIES; i++) {
      // Squaring makes short ways more likely.
      double share = random.nextDouble();
      double far = vehicle.nearest() + share * share * (vehicle.farthest() - vehicle.nearest());
      double direction = random.nextDouble(2 * Math.PI);
      int crossing = streets.nearest(x + far * Math.cos(direction), y + far * Math.sin(direction));
      if (crossing != shop && isOnLand(crossing)) {
        best = crossing;
        // Most customers live on the shop's side of the river.
        if (river.isNorth(x, y) == river.isNorth(streets.x(crossing), streets.y(crossing))
            || random.nextInt(4) == 0) {
          return crossing;
        }
      }
    }
    return best;
  }

  /** The straight distance between two crossings, in metres. */
  double distance(int a, int b) {
    return Math.hypot(streets.x(a) - streets.x(b), streets.y(a) - streets.y(b));
  }

  /** How long a rider waits for the next order, in milliseconds. */
  long idleMillis(long millis, RandomGenerator random) {
    int hundredths = BUSY[(int) (ofDay(millis) / 3_600_000)];
    double mean = 60_000.0 * (12 - 0.11 * hundredths);
    return (long) Math.min(45 * 60_000, -mean * Math.log(1 - random.nextDouble()));
  }

  private static boolean isNoon(long millis) {
    long hour = ofDay(millis) / 3_600_000;
    return hour >= 11 && hour < 14;
  }

  private static long ofDay(long millis) {
    return Math.floorMod(millis + SEOUL_OFFSET_MILLIS, DAY_MILLIS);
  }
}
