package gilmok.lab.fleet;

/**
 * One position that a phone has determined.
 *
 * @param at the time by the phone's clock, in milliseconds since 1970
 * @param accuracy in metres
 * @param speed in m/s
 * @param bearing clockwise from north, in degrees; NaN when standing
 * @param altitude in metres
 * @param battery from 0 to 1
 * @param delivery the delivery that the rider has set out for, 0 for none
 * @param late whether there was no network when it was taken
 */
record Fix(
    long at,
    double lat,
    double lon,
    double accuracy,
    double speed,
    double bearing,
    double altitude,
    double battery,
    int delivery,
    boolean late) {
  boolean isMoving() {
    return !Double.isNaN(bearing);
  }
}
