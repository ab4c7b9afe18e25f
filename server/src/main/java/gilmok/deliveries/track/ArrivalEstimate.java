package gilmok.deliveries.track;

import gilmok.deliveries.DeliveryPlace;
import gilmok.geo.Distance;
import java.util.List;

/**
 * The estimated time of arrival of a rider, with an interval. Immutable.
 *
 * <p>The distance is the straight line from stop to stop, times {@link #DETOUR}. The speed is the
 * rider's recent one, which includes stops, as that is what was observed. The uncertainty is a sum
 * of variances: of the speed, of each stop before, and of the last minute to the door. The interval
 * from earliest to latest holds four of five arrivals if these are normally distributed.
 *
 * @param expectedMillis epoch ms
 * @param earliestMillis epoch ms, never before now
 * @param latestMillis epoch ms
 */
record ArrivalEstimate(long expectedMillis, long earliestMillis, long latestMillis) {
  /** The length of streets relative to the straight line: 1.2 to 1.4 in cities. */
  static final double DETOUR = 1.3;

  /** A rider's speed in a city if that of this rider is unknown, metres a second. */
  static final double USUAL_SPEED = 5.0;

  private static final double SLOWEST_SPEED = 1.2;
  private static final double FASTEST_SPEED = 22.0;
  private static final double STOP_SECONDS = 180;
  private static final double STOP_SPREAD_SECONDS = 90;
  private static final double DOOR_SPREAD_SECONDS = 60;
  private static final double OBSERVED_SPREAD = 0.25;
  private static final double USUAL_SPREAD = 0.45;

  /** Four fifths of a normal distribution lie within this many standard deviations. */
  private static final double DEVIATIONS = 1.28;

  /**
   * Estimates the arrival at {@code target}.
   *
   * @param from the rider's position
   * @param before the stops before this one, in their order
   * @param target the place of the delivery
   * @param observedSpeed the speed over the last minutes, metres a second; NaN when unknown
   */
  static ArrivalEstimate reckon(
      RiderFix from,
      List<DeliveryPlace> before,
      DeliveryPlace target,
      double observedSpeed,
      long nowMillis) {
    double lat = from.lat();
    double lon = from.lon();
    double metres = 0;
    for (DeliveryPlace stop : before) {
      metres += Distance.metres(lat, lon, stop.lat(), stop.lon());
      lat = stop.lat();
      lon = stop.lon();
    }
    metres = DETOUR * (metres + Distance.metres(lat, lon, target.lat(), target.lon()));
    boolean isObserved = !Double.isNaN(observedSpeed);
    double speed =
        isObserved ? Math.clamp(observedSpeed, SLOWEST_SPEED, FASTEST_SPEED) : USUAL_SPEED;
    double travel = metres / speed;
    double expected = travel + before.size() * STOP_SECONDS;
    double spread =
        Math.sqrt(
            square(travel * (isObserved ? OBSERVED_SPREAD : USUAL_SPREAD))
                + before.size() * square(STOP_SPREAD_SECONDS)
                + square(DOOR_SPREAD_SECONDS));
    long since = Math.min(from.atMillis(), nowMillis);
    long at = Math.max(nowMillis, since + Math.round(expected * 1000));
    long margin = Math.round(DEVIATIONS * spread * 1000);
    return new ArrivalEstimate(at, Math.max(nowMillis, at - margin), at + margin);
  }

  private static double square(double value) {
    return value * value;
  }
}
