package gilmok.lab.fleet;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Who delivers: waits for an order, rides to the shop, waits for the food, rides to the customer,
 * hands it over. Where the rider truly is, without any error of a phone. Not thread-safe.
 */
final class Rider {
  /** What a rider is doing. */
  enum Errand {
    WAITING,
    TO_SHOP,
    AT_SHOP,
    TO_CUSTOMER,
    AT_CUSTOMER
  }

  private final World world;
  private final Vehicle vehicle;
  private final int district;
  private final double pace;
  private final RandomGenerator random;
  private Errand errand = Errand.WAITING;
  private @Nullable Trip trip;
  private int standsAt;
  private int shop;
  private long standsUntil;
  private long now;
  private int deliveries;

  /**
   * What all riders share.
   *
   * @param router used by one rider at a time
   */
  record World(Streets streets, River river, Demand demand, Router router) {
    static World of(long seed) {
      River river = new River(Seoul.BRIDGES);
      Streets streets = StreetsPlan.lay(river, seed);
      return new World(streets, river, new Demand(streets, river, seed + 1), new Router(streets));
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
    // As though they had been at work for a while: most have an order at once.
    standsUntil = startMillis + (random.nextInt(3) == 0 ? random.nextLong(300_000) : 0);
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

  /** The delivery being carried; 0 for none. Numbers count up for each rider. */
  int carried() {
    return errand == Errand.TO_CUSTOMER || errand == Errand.AT_CUSTOMER ? deliveries : 0;
  }

  double x() {
    return trip == null ? world.streets().x(standsAt) : trip.x();
  }

  double y() {
    return trip == null ? world.streets().y(standsAt) : trip.y();
  }

  /** In m/s. */
  double speed() {
    return trip == null ? 0 : trip.speed();
  }

  /** Clockwise from north, in degrees; only a moving rider has one. */
  double bearing() {
    return trip == null ? Double.NaN : trip.bearing();
  }

  /** Whether among walls: in the shop, at the customer's door. */
  boolean isInside() {
    return errand == Errand.AT_SHOP || errand == Errand.AT_CUSTOMER;
  }

  /** Goes on until a time, in milliseconds. */
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
      standsUntil = now + pause(150_000, 600_000);
    } else {
      errand = Errand.AT_CUSTOMER;
      standsUntil = now + pause(70_000, 300_000);
    }
  }

  private void depart() {
    switch (errand) {
      case WAITING -> {
        shop = world.demand().shop(district, standsAt, random);
        errand = Errand.TO_SHOP;
        rideTo(shop);
      }
      case AT_SHOP -> {
        deliveries++;
        errand = Errand.TO_CUSTOMER;
        rideTo(world.demand().customer(shop, vehicle, now, random));
      }
      case AT_CUSTOMER -> {
        errand = Errand.WAITING;
        standsUntil = now + world.demand().idleMillis(now, random);
      }
      case TO_SHOP, TO_CUSTOMER -> throw new IllegalStateException("on the way, and standing");
    }
  }

  private void rideTo(int crossing) {
    int[] route = world.router().route(standsAt, crossing);
    if (route.length < 2) {
      arrive();
    } else {
      trip = new Trip(world.streets(), vehicle, pace, route);
    }
  }

  private long pause(double meanMillis, double mostMillis) {
    double factor = -Math.log(1 - random.nextDouble());
    return 20_000 + (long) Math.min(mostMillis, (meanMillis - 20_000) * factor);
  }
}
