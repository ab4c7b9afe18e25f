package gilmok.history.trip;

/** Takes the stays and trips of one rider, in the order of time. */
public interface TripSink {
  /** Takes a stay. */
  void stay(Stay stay);

  /** Takes a trip. */
  void trip(Trip trip);
}
