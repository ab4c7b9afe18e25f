package gilmok.history.trip;

import java.util.ArrayList;
import java.util.List;

/** What was found, for tests: stays and trips in the order in which they came. */
final class FoundTrips implements TripSink {
  final List<Record> all = new ArrayList<>();

  @Override
  public void stay(Stay stay) {
    all.add(stay);
  }

  @Override
  public void trip(Trip trip) {
    all.add(trip);
  }

  List<Stay> stays() {
    return all.stream().filter(Stay.class::isInstance).map(Stay.class::cast).toList();
  }

  List<Trip> trips() {
    return all.stream().filter(Trip.class::isInstance).map(Trip.class::cast).toList();
  }
}
