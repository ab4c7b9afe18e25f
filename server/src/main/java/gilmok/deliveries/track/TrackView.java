package gilmok.deliveries.track;

import gilmok.event.JsonBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a customer sees.
 *
 * @param state preparing, while nobody is on the way to them; coming; delivered; ended
 * @param coming how it comes; null when it does not
 */
record TrackView(String state, @Nullable Coming coming) {
  /**
   * The rider is on the way.
   *
   * @param rider where; null when that is not known well enough
   * @param arrival null without a rider
   * @param stopsBefore how many others get theirs first
   */
  record Coming(@Nullable RiderFix rider, @Nullable ArrivalEstimate arrival, int stopsBefore) {}

  /** As JSON. */
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

  /** To some ten metres: enough to see somebody come. */
  private static double rounded(double degrees) {
    return Math.round(degrees * 1e4) / 1e4;
  }
}
