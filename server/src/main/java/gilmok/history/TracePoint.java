package gilmok.history;

import org.jspecify.annotations.Nullable;

/** One position of a rider's past. Immutable. */
record TracePoint(
    Place place,
    double lat,
    double lon,
    Measured measured,
    @Nullable String provider,
    @Nullable String deliveryId) {

  /** What a phone measured beside its place; NaN is what it did not. Immutable. */
  record Measured(double accuracy, double speed, double bearing, double altitude, double battery) {
    static final Measured NOTHING =
        new Measured(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
  }

  /** When it happened, epoch ms. */
  long atMillis() {
    return place.atMillis();
  }
}
