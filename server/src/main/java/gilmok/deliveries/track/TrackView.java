package gilmok.deliveries.track;

import gilmok.event.JsonBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a customer sees of a delivery. Immutable.
 *
 * @param state {@code preparing} until the rider is on the way; {@code coming}; {@code delivered};
 *     {@code ended}
 * @param coming the details while it is coming; else null
 */
record TrackView(String state, @Nullable Coming coming) {
  /**
   * A delivery whose rider is on the way.
   *
   * @param rider the rider's position; null when it is unknown or too old
   * @param arrival the estimate; null without a position
   * @param stopsBefore how many other deliveries come first
   */
  record Coming(@Nullable RiderFix rider, @Nullable ArrivalEstimate arrival, int stopsBefore) {}

  /** The view as JSON. */
  byte[] json() {
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"state\":").string(state);
    if (coming != null) {
      write(coming, out);
    }
    return out.put('}').copy();
  }

  private static void write(Coming coming, JsonBuffer out) {
    out.ascii(",\"stopsBefore\":").number(coming.stopsBefore);
    RiderFix rider = coming.rider;
    if (rider != null) {
      out.ascii(",\"rider\":{\"lat\":").number(rounded(rider.lat()));
      out.ascii(",\"lon\":").number(rounded(rider.lon()));
      out.ascii(",\"at\":").time(rider.atMillis()).put('}');
    }
    ArrivalEstimate arrival = coming.arrival;
    if (arrival != null) {
      out.ascii(",\"arrival\":{\"expected\":").time(arrival.expectedMillis());
      out.ascii(",\"earliest\":").time(arrival.earliestMillis());
      out.ascii(",\"latest\":").time(arrival.latestMillis()).put('}');
    }
  }

  /** Rounds to some ten metres, precise enough to see the rider come. */
  private static double rounded(double degrees) {
    return Math.round(degrees * 1e4) / 1e4;
  }
}
