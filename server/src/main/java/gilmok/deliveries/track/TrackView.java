package gilmok.deliveries.track;

import gilmok.event.JsonBuffer;
import org.jspecify.annotations.Nullable;

/** What a customer sees. */
sealed interface TrackView {
  /** Nobody is on the way to them yet. */
  record Preparing() implements TrackView {}

  /**
   * The rider is on the way.
   *
   * @param rider where; null when that is not known well enough
   * @param arrival null without a rider
   * @param stopsBefore how many others get theirs first
   */
  record Coming(@Nullable RiderFix rider, @Nullable ArrivalEstimate arrival, int stopsBefore)
      implements TrackView {}

  /** It has arrived. */
  record Delivered() implements TrackView {}

  /** It will not come. */
  record Ended() implements TrackView {}

  /** As JSON. */
  default byte[] json() {
    JsonBuffer out = new JsonBuffer();
    switch (this) {
      case Preparing _ -> out.ascii("{\"state\":\"preparing\"}");
      case Delivered _ -> out.ascii("{\"state\":\"delivered\"}");
      case Ended _ -> out.ascii("{\"state\":\"ended\"}");
      case Coming coming -> write(coming, out);
    }
    return out.copy();
  }

  private static void write(Coming coming, JsonBuffer out) {
    out.ascii("{\"state\":\"coming\",\"stopsBefore\":").number(coming.stopsBefore);
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
    out.put('}');
  }

  /** To some ten metres: enough to see somebody come. */
  private static double rounded(double degrees) {
    return Math.round(degrees * 1e4) / 1e4;
  }
}
