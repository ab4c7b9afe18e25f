package gilmok.lab.fleet;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A simulated rider: waits for an order, rides to the shop, waits for the food, rides to the
 * customer, hands it over. Its position is exact, without the error of a phone. Not thread-safe.
 */
final class Rider {
  /** The present task of a rider. */
  enum Errand {
    WAITING,
    TO_SHOP,
    AT_SHOP,
    TO_CUSTOMER,
    AT_CUSTOMER
  }

  /** How long before a waiting rider sets out the order is placed. */
  static final long PLACED_BEFORE_MILLIS = 60_000;

  private static final long SHOP_MILLIS = 150_000;

  private final World world;
  private final Vehicle vehicle;
  private final int district;
  private final double pace;
  private final RandomGenerator random;
  private Errand errand = Errand.WAITING;
  private @Nullable Ride trip;
  private Order order;
  private int standsAt;
  private long standsUntil;
  private long now;

  /**
   * A rider's present or next order.
   *
   * @param number counts up for each rider, from 1
   * @param shop the crossing of the pickup
   * @param customer the crossing of the drop-off
   * @param placedMillis when the customer orders; the rider sets out then or later
   * @param readyMillis when the shop plans to have it ready
   */
  record Order(int number, int shop, int customer, long placedMillis, long readyMillis) {}

  /**
   * The surroundings that all riders share.
   *
   * @param router used by one rider at a time
   */
  record World(Streets streets, River river, Demand demand, StreetRouter router) {
    static World of(long seed) {
      River river = new River(Seoul.BRIDGES);
      Streets streets = StreetsPlan.lay(river, seed);
      return new World(
          streets, river, new Demand(streets, river, seed + 1), new StreetRouter(streets));
    }
  }

  Rider(World world, long seed, long startMillis) {
    this.world = world;
    this.random = new SplittableRandom(seed);
    int draw = random.nextInt(100);
    vehicle = draw < 76 ? Vehicle.MOTORBIKE : draw < 94 ? Vehicle.BICYCLE : Vehicle.FOOT;
    double boldness = 0.5 + 0.22 * random.nextGaussian();
    pace = vehicle.slowest() + Math.clamp(boldness, 0, 1) * (vehicle.fastest() - vehicle.slowest());
    district = random.nextInt(Seoul.DISTRICTS.size());
    standsAt = world.demand().home(district, random);
    now = startMillis;
    // Riders start as if they had been at work for a while: most have an order at once.
    standsUntil = startMillis + (random.nextInt(3) == 0 ? random.nextLong(300_000) : 0);
    order = order(1);
    moveTo(startMillis);
    if (trip != null) {
      trip.ride(startMillis - random.nextLong(240_000), startMillis);
    }
  }

  Vehicle vehicle() {
    return vehicle;
  }

  Errand errand() {
    return errand;
  }

  /** The number of the order that it has set out for; 0 while it waits for one. */
  int inHand() {
    return errand == Errand.WAITING ? 0 : order.number;
  }

  /** The order being delivered; while waiting, the next one, which may not have been placed yet. */
  Order order() {
    return order;
  }

  /** The streets of its city. */
  Streets streets() {
    return world.streets();
  }

  /** The time up to which it was simulated, in milliseconds. */
  long now() {
    return now;
  }

  double x() {
    return trip == null ? world.streets().x(standsAt) : trip.x();
  }

  double y() {
    return trip == null ? world.streets().y(standsAt) : trip.y();
  }

  /** The speed in m/s. */
  double speed() {
    return trip == null ? 0 : trip.speed();
  }

  /** The direction clockwise from north, in degrees; valid only while moving. */
  double bearing() {
    return trip == null ? Double.NaN : trip.bearing();
  }

  /** Whether it is indoors: in the shop, or at the customer's door. */
  boolean isInside() {
    return errand == Errand.AT_SHOP || errand == Errand.AT_CUSTOMER;
  }

  /** Simulates the rider up to a time, in milliseconds. */
  void moveTo(long millis) {
    while (now < millis || (trip == null && standsUntil <= now)) {
      if (trip != null) {
        now = trip.ride(now, millis);
        if (trip.over()) {
          standsAt = trip.end();
          trip = null;
          arrive();
        }
      } else if (standsUntil > millis) {
        now = millis;
      } else {
        now = Math.max(now, standsUntil);
        depart();
      }
    }
  }

  private void arrive() {
    if (errand == Errand.TO_SHOP) {
      errand = Errand.AT_SHOP;
      standsUntil = now + pause(SHOP_MILLIS, 600_000);
    } else {
      errand = Errand.AT_CUSTOMER;
      standsUntil = now + pause(70_000, 300_000);
    }
  }

  private void depart() {
    switch (errand) {
      case WAITING -> {
        errand = Errand.TO_SHOP;
        rideTo(order.shop);
      }
      case AT_SHOP -> {
        errand = Errand.TO_CUSTOMER;
        rideTo(order.customer);
      }
      case AT_CUSTOMER -> {
        errand = Errand.WAITING;
        standsUntil = now + world.demand().idleMillis(now, random);
        order = order(order.number + 1);
      }
      case TO_SHOP, TO_CUSTOMER -> throw new IllegalStateException("on the way, and standing");
    }
  }

  /** The next order, for which the rider sets out when the waiting is over. */
  private Order order(int number) {
    int shop = world.demand().shop(district, standsAt, random);
    int customer = world.demand().customer(shop, vehicle, standsUntil, random);
    long placed = Math.max(now, standsUntil - PLACED_BEFORE_MILLIS);
    // As a shop would estimate: the way with a detour, and the usual waiting time.
    double way = 1.3 * world.demand().distance(standsAt, shop);
    long ready = standsUntil + (long) (1000 * way / pace) + SHOP_MILLIS;
    return new Order(number, shop, customer, placed, ready);
  }

  private void rideTo(int crossing) {
    int[] route = world.router().route(standsAt, crossing);
    if (route.length < 2) {
      arrive();
    } else {
      trip = new Ride(world.streets(), vehicle, pace, route);
    }
  }

  private long pause(double meanMillis, double mostMillis) {
    double factor = -Math.log(1 - random.nextDouble());
    return 20_000 + (long) Math.min(mostMillis, (meanMillis - 20_000) * factor);
  }
}
