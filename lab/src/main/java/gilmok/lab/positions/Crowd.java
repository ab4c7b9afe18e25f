package gilmok.lab.positions;

import java.util.Locale;
import java.util.SplittableRandom;

/** Riders spread evenly over Seoul, with generated positions. Not thread-safe. */
final class Crowd {
  private static final double LAT_MIN = 37.43;
  private static final double LAT_SPAN = 0.27;
  private static final double LON_MIN = 126.77;
  private static final double LON_SPAN = 0.41;

  private final SplittableRandom random;
  private final int riders;
  private long at = System.currentTimeMillis() - 3_600_000;
  private int next;

  Crowd(int riders, long seed) {
    this.riders = riders;
    this.random = new SplittableRandom(seed);
  }

  /** A random place. */
  record Place(double lat, double lon) {}

  Place place() {
    return new Place(
        LAT_MIN + LAT_SPAN * random.nextDouble(), LON_MIN + LON_SPAN * random.nextDouble());
  }

  /** The next rider in turn; the time advances with each pass over the riders. */
  int rider() {
    if (next == riders) {
      next = 0;
    }
    at += next == 0 ? 1 : 0;
    return next++;
  }

  /** A new position of the next rider as JSON. */
  String json() {
    int rider = rider();
    Place place = place();
    return String.format(
        Locale.ROOT,
        "{\"riderId\":\"rider-%06d\",\"at\":%d,\"lat\":%.7f,\"lon\":%.7f,\"speed\":4.2,"
            + "\"bearing\":270,\"accuracy\":5.5,\"battery\":0.82}",
        rider,
        at,
        place.lat(),
        place.lon());
  }
}
