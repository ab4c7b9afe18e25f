package gilmok.deliveries.track;

/**
 * A rider's position at a time. Immutable.
 *
 * @param lat degrees
 * @param lon degrees
 * @param speed metres a second; NaN when the phone did not report it
 * @param atMillis epoch ms
 */
public record RiderFix(double lat, double lon, double speed, long atMillis) {}
