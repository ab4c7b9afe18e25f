package gilmok.lab.fleet;

import gilmok.lab.day.Act;
import gilmok.lab.day.Day;
import gilmok.lab.day.Spot;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns the errands of a fleet's riders into acts: an order is placed and accepted while its rider
 * waits, assigned when the rider sets out, picked up when the rider leaves the shop, completed when
 * the rider leaves the door. It checks each rider after each fix, so an act is some seconds late.
 * Not thread-safe.
 */
final class Dispatch implements Consumer<Phone> {
  private static final long ACCEPT_MILLIS = 30_000;
  private static final Act.Kind[] KINDS = {
    Act.Kind.CREATE, Act.Kind.ACCEPT, Act.Kind.ASSIGN, Act.Kind.PICK_UP, Act.Kind.COMPLETE
  };

  private final Fleet.Plan plan;
  private final Consumer<Act> told;
  private final Brought[] riders;

  /** The acts sent so far for the order that a rider delivers. */
  private static final class Brought {
    private int number;
    private int done;
    private Day.@Nullable Order order;
  }

  /**
   * A dispatcher of a fleet.
   *
   * @param told receives each act; those of an order in time's order
   */
  Dispatch(Fleet.Plan plan, Consumer<Act> told) {
    this.plan = plan;
    this.told = told;
    riders = new Brought[plan.riders()];
    for (int i = 0; i < riders.length; i++) {
      riders[i] = new Brought();
    }
  }

  @Override
  public void accept(Phone phone) {
    Rider rider = phone.rider();
    Brought brought = riders[phone.number()];
    Rider.Order order = rider.order();
    if (order.number() != brought.number) {
      tell(phone, brought, KINDS.length);
      brought.number = order.number();
      brought.order = order(phone, order);
      brought.done = 0;
    }
    tell(phone, brought, done(rider));
  }

  /** How many acts of a rider's order are done. */
  private static int done(Rider rider) {
    long since = rider.now() - rider.order().placedMillis();
    return switch (rider.errand()) {
      case WAITING -> since < 0 ? 0 : since < ACCEPT_MILLIS ? 1 : 2;
      case TO_SHOP, AT_SHOP -> 3;
      case TO_CUSTOMER, AT_CUSTOMER -> 4;
    };
  }

  private void tell(Phone phone, Brought brought, int done) {
    Day.Order order = brought.order;
    if (order != null) {
      double minute = minute(phone.rider().now());
      for (; brought.done < done; brought.done++) {
        told.accept(new Act(minute, KINDS[brought.done], order, phone.riderId()));
      }
    }
  }

  private Day.Order order(Phone phone, Rider.Order order) {
    Rider rider = phone.rider();
    Day.Restaurant shop =
        new Day.Restaurant(Integer.toString(order.shop()), spot(rider, order.shop()));
    return new Day.Order(
        phone.riderId() + "-" + order.number(),
        spot(rider, order.customer()),
        shop,
        minute(order.placedMillis()),
        minute(order.readyMillis()),
        null);
  }

  private static Spot spot(Rider rider, int crossing) {
    Streets streets = rider.streets();
    return Spot.at(FlatMap.lat(streets.y(crossing)), FlatMap.lon(streets.x(crossing)));
  }

  /** The minutes of real time since the fleet began, at a time of the fleet. */
  private double minute(long fleetMillis) {
    return (plan.inWorld(fleetMillis) - plan.startMillis()) / 60_000.0;
  }

  /** The real time at such a minute, in milliseconds since 1970. */
  static long millis(Fleet.Plan plan, double minute) {
    return plan.startMillis() + Math.round(minute * 60_000);
  }
}
