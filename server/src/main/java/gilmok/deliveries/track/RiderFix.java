package gilmok.deliveries.track;

/**
 * Where somebody was.
 *
 * @param lat degrees
 * @param lon degrees
 * @param speed metres a second; NaN when the phone did not say
 * @param atMillis epoch ms
 */
public record RiderFix(double lat, double lon, double speed, long atMillis) {}
