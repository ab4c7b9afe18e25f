package gilmok.missions;

/**
 * Until when missions are closed, as {@link gilmok.retention.RemovalPlans#removedTo} has it.
 * Stateless.
 */
public final class ClosedMissions {
  /** The name of missions among the kinds of documents. */
  public static final String KIND = "missions";

  /** Why nothing is put to a mission that is closed. */
  static final String REASON = "the mission ended too long ago and is no longer kept";

  /** The digits of a time, so that times sort as texts. */
  private static final int DIGITS = 15;

  private ClosedMissions() {}

  /** That time as text. */
  static String text(long endMillis) {
    return ("%0" + DIGITS + "d").formatted(Math.max(0, endMillis));
  }

  /** The time of what {@link #text} has made; {@link Long#MIN_VALUE} when none is closed. */
  static long millis(String text) {
    return text.isEmpty() ? Long.MIN_VALUE : Long.parseLong(text);
  }
}
