package gilmok.lab.day;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Assigns the orders of a day to couriers and computes the times of all acts. Each order goes to
 * the courier on duty who can deliver it first. It is a simple stand-in for a dispatcher, enough to
 * make a realistic day.
 *
 * @param acts sorted by time
 * @param ways the couriers' ways, each list sorted by time
 */
record Schedule(List<Act> acts, Map<String, List<Leg>> ways) {
  /** Minutes from the placement until a shop accepts and until a dispatcher assigns. */
  private static final double ACCEPT_MINUTES = 0.5;

  private static final double ASSIGN_MINUTES = 1;

  /** A courier's state while the day is planned. */
  private static final class Planned {
    private final Day.Courier courier;
    private final List<Leg> ways = new ArrayList<>();
    private Spot spot;
    private double freeMinute;

    Planned(Day.Courier courier) {
      this.courier = courier;
      spot = courier.spot();
      freeMinute = courier.onMinute();
    }

    /**
     * The minute at which the courier could pick up an order; the largest number if the shift is
     * over before.
     */
    double pickupMinute(Day.Order order, Spot restaurant, Day.Rules rules) {
      double start = Math.max(freeMinute, order.placedMinute() + ASSIGN_MINUTES);
      double there = start + spot.metresTo(restaurant) / rules.metresPerMinute();
      double inHand = Math.max(there, order.readyMinute()) + rules.pickupMinutes();
      return start > courier.offMinute() ? Double.MAX_VALUE : inHand;
    }

    void bring(Day.Order order, Spot restaurant, double pickup, double door) {
      double start = Math.max(freeMinute, order.placedMinute() + ASSIGN_MINUTES);
      ways.add(new Leg(start, pickup, spot, restaurant));
      ways.add(new Leg(pickup, door, restaurant, order.spot()));
      spot = order.spot();
      freeMinute = door;
    }
  }

  static Schedule of(Day day) {
    List<Planned> couriers = new ArrayList<>();
    day.couriers().forEach(courier -> couriers.add(new Planned(courier)));
    List<Act> acts = new ArrayList<>();
    for (Day.Order order : day.orders()) {
      plan(day, couriers, order, acts);
    }
    acts.sort(Comparator.comparingDouble(Act::minute));
    Map<String, List<Leg>> ways = new TreeMap<>();
    couriers.forEach(planned -> ways.put(planned.courier.name(), List.copyOf(planned.ways)));
    return new Schedule(List.copyOf(acts), ways);
  }

  private static void plan(Day day, List<Planned> couriers, Day.Order order, List<Act> acts) {
    Day.Rules rules = day.rules();
    Spot restaurant = order.restaurant().spot();
    acts.add(new Act(order.placedMinute(), Act.Kind.CREATE, order, null));
    Planned best = null;
    double earliest = Double.MAX_VALUE;
    for (Planned planned : couriers) {
      double pickup = planned.pickupMinute(order, restaurant, rules);
      if (pickup < earliest) {
        earliest = pickup;
        best = planned;
      }
    }
    double door =
        earliest
            + restaurant.metresTo(order.spot()) / rules.metresPerMinute()
            + rules.dropoffMinutes();
    if (best == null || door > order.placedMinute() + rules.doorMinutesMax()) {
      acts.add(new Act(order.placedMinute() + 2, Act.Kind.CANCEL, order, null));
      return;
    }
    String courier = best.courier.name();
    best.bring(order, restaurant, earliest, door);
    double placed = order.placedMinute();
    acts.add(new Act(placed + ACCEPT_MINUTES, Act.Kind.ACCEPT, order, null));
    acts.add(new Act(placed + ASSIGN_MINUTES, Act.Kind.ASSIGN, order, courier));
    acts.add(new Act(earliest, Act.Kind.PICK_UP, order, courier));
    acts.add(new Act(door, Act.Kind.COMPLETE, order, courier));
  }
}
