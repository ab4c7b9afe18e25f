package gilmok.history.trip;

import java.time.Duration;

/**
 * What counts as a stay, and what ends a trip.
 *
 * @param radiusMetres how far from its centre a stay's points are; twice as far, once it lasts
 *     {@code stay}
 * @param stay how long a stay lasts at least; from {@link #AWAY} on
 * @param gap how long a phone may be silent within a trip; at least {@code stay}
 */
public record TripRules(int radiusMetres, Duration stay, Duration gap) {
  /** Who is back within this time was not away: a stay goes on. */
  public static final Duration AWAY = Duration.ofMinutes(2);

  /** A stay's radius in metres if none is asked for. */
  public static final int RADIUS_METRES = 60;

  /** The shortest stay if none is asked for. */
  public static final Duration STAY = Duration.ofMinutes(5);

  /** The longest silence within a trip if none is asked for. */
  public static final Duration GAP = Duration.ofMinutes(10);

  /** The widest stay: beyond, it is no place any more. */
  public static final int RADIUS_MAX_METRES = 10_000;

  /** The longest time that can be asked for. */
  public static final Duration LONGEST = Duration.ofDays(1);

  /** The rules if none are asked for. */
  public static final TripRules DEFAULTS = new TripRules(RADIUS_METRES, STAY, GAP);

  public TripRules {
    if (radiusMetres < 1 || radiusMetres > RADIUS_MAX_METRES) {
      throw new IllegalArgumentException("radius: from 1 to " + RADIUS_MAX_METRES + " metres");
    }
    if (stay.compareTo(AWAY) < 0 || stay.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("minutes: from " + AWAY.toMinutes() + " to 1440");
    }
    if (gap.compareTo(stay) < 0 || gap.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("gap: from the shortest stay to 1440 minutes");
    }
  }
}
