package gilmok.deliveries.track;

import gilmok.deliveries.DeliveryPlace;
import gilmok.geo.Distance;
import java.util.List;

/**
 * When somebody will be there, and how sure that is.
 *
 * <p>The way is the straight line from stop to stop, longer by {@link #DETOUR}; it is made at the
 * rider's recent speed, stops counted in, as that is what was observed. What can go wrong adds up
 * as variances do: the speed, each stop before, and the last minute to the door. Earliest and
 * latest hold four of five arrivals if these are normal.
 *
 * @param expectedMillis epoch ms
 * @param earliestMillis epoch ms, never before now
 * @param latestMillis epoch ms
 */
record ArrivalEstimate(long expectedMillis, long earliestMillis, long latestMillis) {
  /** Streets beside the straight line: 1.2 to 1.4 in cities. */
  static final double DETOUR = 1.3;

  /** What a rider makes in a city when nothing is known of this one; metres a second. */
  static final double USUAL_SPEED = 5.0;

  private static final double SLOWEST_SPEED = 1.2;
  private static final double FASTEST_SPEED = 22.0;
  private static final double STOP_SECONDS = 180;
  private static final double STOP_SPREAD_SECONDS = 90;
  private static final double DOOR_SPREAD_SECONDS = 60;
  private static final double OBSERVED_SPREAD = 0.25;
  private static final double USUAL_SPREAD = 0.45;

  /** Four of five of a normal distribution lie within so many deviations. */
  private static final double DEVIATIONS = 1.28;

  /**
   * Reckons.
   *
   * @param from where the rider is
   * @param before the stops before this one, in their order
   * @param target where the delivery goes
   * @param observedSpeed of the last minutes, metres a second; NaN when it is not known
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
