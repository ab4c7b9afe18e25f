package gilmok.history.trip;

/**
 * A time in which a rider stayed at one place.
 *
 * @param fromMillis when the first point there was, since 1970
 * @param toMillis when the last point there was
 * @param latE7 the latitude of the centre of its points, in 1e-7 degrees
 * @param lonE7 the longitude of the centre
 * @param points how many points it has, those of short ways out and back too
 */
public record Stay(long fromMillis, long toMillis, int latE7, int lonE7, long points) {}
