package gilmok.deliveries.track;

import gilmok.deliveries.DeliveryPlace;
import gilmok.event.JsonBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a customer sees of a delivery. Immutable.
 *
 * @param state {@code preparing} until the rider is on the way; {@code coming}; {@code delivered};
 *     {@code ended}
 * @param steps what is done, in order
 * @param late whether it is, or is expected to be, later than it was due
 * @param coming the details while it is coming; else null
 */
record TrackView(String state, List<Passed> steps, boolean late, @Nullable Coming coming) {
  TrackView {
    steps = List.copyOf(steps);
  }

  /**
   * A step that is done.
   *
   * @param step {@code ordered}, {@code accepted}, {@code picked_up} or {@code delivered}
   * @param atMillis when, epoch ms
   */
  record Passed(String step, long atMillis) {}

  /**
   * A delivery whose rider is on the way.
   *
   * @param shop where it comes from
   * @param door where it goes
   * @param rider the rider's position; null when it is unknown or too old
   * @param arrival the estimate; null without a position
   * @param stopsBefore how many other deliveries come first
   */
  record Coming(
      DeliveryPlace shop,
      DeliveryPlace door,
      @Nullable RiderFix rider,
      @Nullable ArrivalEstimate arrival,
      int stopsBefore) {}

  /** The view as JSON. */
  byte[] json() {
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"state\":").string(state);
    if (!steps.isEmpty()) {
      out.ascii(",\"steps\":").list(steps, TrackView::write);
    }
    if (late) {
      out.ascii(",\"late\":true");
    }
    if (coming != null) {
      write(coming, out);
    }
    return out.put('}').copy();
  }

  private static void write(Passed passed, JsonBuffer out) {
    out.ascii("{\"step\":").string(passed.step);
    out.ascii(",\"at\":").time(passed.atMillis).put('}');
  }

  private static void write(Coming coming, JsonBuffer out) {
    out.ascii(",\"stopsBefore\":").number(coming.stopsBefore);
    place("shop", coming.shop.lat(), coming.shop.lon(), out).put('}');
    place("door", coming.door.lat(), coming.door.lon(), out).put('}');
    RiderFix rider = coming.rider;
    if (rider != null) {
      place("rider", rider.lat(), rider.lon(), out);
      out.ascii(",\"at\":").time(rider.atMillis()).put('}');
    }
    ArrivalEstimate arrival = coming.arrival;
    if (arrival != null) {
      out.ascii(",\"arrival\":{\"expected\":").time(arrival.expectedMillis());
      out.ascii(",\"earliest\":").time(arrival.earliestMillis());
      out.ascii(",\"latest\":").time(arrival.latestMillis()).put('}');
    }
  }

  private static JsonBuffer place(String name, double lat, double lon, JsonBuffer out) {
    out.ascii(",\"").ascii(name).ascii("\":{\"lat\":").number(rounded(lat));
    return out.ascii(",\"lon\":").number(rounded(lon));
  }

  /** Rounds to some ten metres, precise enough to see the rider come. */
  private static double rounded(double degrees) {
    return Math.round(degrees * 1e4) / 1e4;
  }
}
