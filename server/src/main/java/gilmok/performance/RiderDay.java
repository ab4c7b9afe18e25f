package gilmok.performance;

import gilmok.geo.Distance;
import gilmok.performance.RiddenDelivery.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rider on one day: first all deliveries, then the positions in the order in which they came,
 * then what comes of it. Keeps hardly a position, so a day of a whole fleet fits. Not thread-safe.
 */
final class RiderDay {
  private static final double MILLIS = 1_000;

  private final PerformanceConfig config;
  private final long from;
  private final long until;
  private final long now;
  private final List<Ride> rides = new ArrayList<>();
  private final Indicators indicators = new Indicators();
  private final RiderWay way;
  private List<long[]> busy = List.of();

  /** A delivery of the day, and when its rider was first seen at its stops. */
  private static final class Ride {
    final RiddenDelivery delivery;
    long atShop = Long.MAX_VALUE;
    long atDoor = Long.MAX_VALUE;

    Ride(RiddenDelivery delivery) {
      this.delivery = delivery;
    }
  }

  /** A stop of a tour, at the time at which it was made. */
  private record Made(long at, int order, boolean isPickup) {}

  /** Rides between orders that overlap, with where the rider was when they began. */
  private static final class Trip {
    final List<Ride> rides = new ArrayList<>();
    final long begin;
    long end;
    @Nullable Place start;
    long startAt = Long.MIN_VALUE;

    Trip(long begin) {
      this.begin = begin;
      this.end = begin;
    }
  }

  private final List<Trip> trips = new ArrayList<>();

  /**
   * A day without deliveries and positions.
   *
   * @param from when it begins, epoch ms
   * @param until when it ends, exclusive
   * @param now the present: what is under way has lasted until then
   */
  RiderDay(PerformanceConfig config, long from, long until, long now) {
    this.config = config;
    this.from = from;
    this.until = until;
    this.now = now;
    way = new RiderWay(config, this::idle);
  }

  /** Adds a delivery. */
  void add(RiddenDelivery delivery) {
    rides.add(new Ride(delivery));
  }

  /** All deliveries were added. */
  void begin() {
    rides.sort(Comparator.comparingLong(ride -> ride.delivery.assignedAt()));
    List<long[]> merged = new ArrayList<>();
    for (Ride ride : rides) {
      Long ended = ride.delivery.endedAt();
      long begin = ride.delivery.assignedAt();
      long end = ended == null ? Math.max(begin, Math.min(until, now)) : ended;
      if (trips.isEmpty() || begin > trips.getLast().end) {
        trips.add(new Trip(begin));
      }
      Trip trip = trips.getLast();
      trip.rides.add(ride);
      trip.end = Math.max(trip.end, end);
    }
    for (Trip trip : trips) {
      long begin = Math.max(from, trip.begin);
      long end = Math.min(until, trip.end);
      if (begin < end) {
        merged.add(new long[] {begin, end});
        indicators.add(Measure.BUSY_SECONDS, Math.round((end - begin) / MILLIS));
      }
    }
    busy = merged;
  }

  /**
   * From when on positions are needed: of a rider who was at a stop, or on a tour, before midnight.
   */
  long positionsFrom() {
    long first = from;
    for (Ride ride : rides) {
      Long picked = ride.delivery.pickedUpAt();
      if (isToday(picked)) {
        first = Math.min(first, ride.delivery.assignedAt());
      }
      if (picked != null && isToday(ride.delivery.completedAt())) {
        first = Math.min(first, picked);
      }
    }
    for (Trip trip : trips) {
      if (trip.rides.size() > 1 && isToday(trip.end)) {
        first = Math.min(first, trip.begin - config.gap().toMillis());
      }
    }
    return first;
  }

  /** Adds a position. One of before the day shows where the rider was when it began. */
  void position(long at, double lat, double lon) {
    if (at >= until) {
      return;
    }
    if (at >= from) {
      indicators.count(Measure.POSITIONS);
      way.add(at, lat, lon);
    }
    for (Trip trip : trips) {
      boolean isBefore = at <= trip.begin && trip.begin - at <= config.gap().toMillis();
      if (isBefore && at > trip.startAt) {
        trip.startAt = at;
        trip.start = new Place(lat, lon);
      }
    }
    for (Ride ride : rides) {
      arrive(ride, at, lat, lon);
    }
  }

  private void arrive(Ride ride, long at, double lat, double lon) {
    RiddenDelivery delivery = ride.delivery;
    Long picked = delivery.pickedUpAt();
    Long completed = delivery.completedAt();
    if (picked != null
        && at < ride.atShop
        && at >= delivery.assignedAt()
        && at <= picked
        && isNear(delivery.shop(), lat, lon)) {
      ride.atShop = at;
    }
    if (picked != null
        && completed != null
        && at < ride.atDoor
        && at >= picked
        && at <= completed
        && isNear(delivery.door(), lat, lon)) {
      ride.atDoor = at;
    }
  }

  private boolean isNear(Place place, double lat, double lon) {
    return Distance.metres(place.lat(), place.lon(), lat, lon) <= config.arrivalMetres();
  }

  /** How much of a time the rider had no delivery, ms. */
  private double idle(long begin, long end) {
    double idle = end - begin;
    for (long[] span : busy) {
      idle -= Math.max(0, Math.min(end, span[1]) - Math.max(begin, span[0]));
    }
    return idle;
  }

  /**
   * What comes of it.
   *
   * @param planner finds the best order of each tour; null to leave that out
   */
  Indicators end(@Nullable TourPlanner planner) throws IOException, InterruptedException {
    indicators.add(Measure.METRES, Math.round(way.metres()));
    indicators.add(Measure.IDLE_SECONDS, Math.round(way.idleMillis() / MILLIS));
    for (Ride ride : rides) {
      measure(ride);
    }
    if (planner != null) {
      for (Trip trip : trips) {
        tour(trip, planner);
      }
    }
    return indicators;
  }

  private boolean isToday(@Nullable Long at) {
    return at != null && at >= from && at < until;
  }

  private void measure(Ride ride) {
    RiddenDelivery delivery = ride.delivery;
    Long picked = delivery.pickedUpAt();
    Long completed = delivery.completedAt();
    if (picked != null && isToday(picked)) {
      indicators.count(Measure.PICKUPS);
      if (ride.atShop != Long.MAX_VALUE) {
        indicators.count(Measure.SHOP_WAITS);
        add(Measure.SHOP_WAIT_SECONDS, picked - ride.atShop);
        Long ready = delivery.readyAt();
        if (ready != null) {
          add(Measure.UNREADY_SECONDS, Math.max(0, Math.min(picked, ready) - ride.atShop));
        }
      }
    }
    if (completed != null && isToday(completed)) {
      indicators.count(Measure.DELIVERIES);
      indicators.count(Measure.DROPOFFS);
      Long due = delivery.dueBy();
      if (due != null) {
        indicators.count(Measure.DUE);
        indicators.add(Measure.ON_TIME, completed <= due ? 1 : 0);
        add(Measure.LATE_SECONDS, Math.max(0, completed - due));
      }
      if (ride.atDoor != Long.MAX_VALUE) {
        indicators.count(Measure.DOOR_WAITS);
        add(Measure.DOOR_WAIT_SECONDS, completed - ride.atDoor);
      }
    } else if (completed == null && isToday(delivery.endedAt())) {
      indicators.count(Measure.FAILED);
    }
  }

  private void add(Measure measure, long millis) {
    indicators.add(measure, Math.round(millis / MILLIS));
  }

  /**
   * Compares the order in which the stops of a trip were made with the best one. A trip counts on
   * the day on which it ended, if all that it picked up was delivered.
   */
  private void tour(Trip trip, TourPlanner planner) throws IOException, InterruptedException {
    List<Made> made = new ArrayList<>();
    List<Place> places = new ArrayList<>();
    List<int[]> orders = new ArrayList<>();
    places.add(new Place(0, 0));
    for (Ride ride : trip.rides) {
      Long picked = ride.delivery.pickedUpAt();
      Long completed = ride.delivery.completedAt();
      if (picked == null && completed == null) {
        continue; // taken away before it was picked up: no stop was made
      }
      if (picked == null || completed == null) {
        return;
      }
      made.add(new Made(picked, orders.size(), true));
      made.add(new Made(completed, orders.size(), false));
      orders.add(new int[] {places.size(), places.size() + 1});
      places.add(ride.delivery.shop());
      places.add(ride.delivery.door());
    }
    boolean isMeasured = orders.size() > 1 && orders.size() <= TourPlanner.ORDERS_MAX;
    if (!isMeasured || !isToday(trip.end)) {
      return;
    }
    made.sort(Comparator.comparingLong(Made::at));
    int[] driven = new int[made.size() + 1];
    for (int i = 0; i < made.size(); i++) {
      Made stop = made.get(i);
      driven[i + 1] = orders.get(stop.order)[stop.isPickup ? 0 : 1];
    }
    Place start = trip.start;
    places.set(0, start == null ? places.get(driven[1]) : start);
    long[][] matrix = matrix(places);
    long cost = 0;
    for (int i = 1; i < driven.length; i++) {
      cost += matrix[driven[i - 1]][driven[i]];
    }
    TourPlanner.Best best = planner.best(matrix, orders.toArray(int[][]::new));
    if (best == null) {
      throw new IOException("the planners have no room for a tour");
    }
    indicators.count(Measure.TOURS);
    indicators.add(Measure.TOURS_PROVEN, best.isProven() ? 1 : 0);
    indicators.add(Measure.DRIVEN_METRES, cost);
    indicators.add(Measure.BEST_METRES, Math.min(cost, best.cost()));
  }

  private static long[][] matrix(List<Place> places) {
    long[][] matrix = new long[places.size()][places.size()];
    for (int i = 0; i < matrix.length; i++) {
      for (int k = 0; k < i; k++) {
        Place one = places.get(i);
        Place other = places.get(k);
        matrix[i][k] = Math.round(Distance.metres(one.lat(), one.lon(), other.lat(), other.lon()));
        matrix[k][i] = matrix[i][k];
      }
    }
    return matrix;
  }
}
