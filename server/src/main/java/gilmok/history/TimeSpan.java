package gilmok.history;

/**
 * From when to when something happened, and when it must have come to be in an answer, epoch ms,
 * the ends exclusive. The second makes an answer independent of where records are found. Immutable.
 */
record TimeSpan(
    long fromMillis, long untilMillis, long receivedFromMillis, long receivedUntilMillis) {
  private static final long DAY_MILLIS = 86_400_000;

  /**
   * A span of what happened; a record of it has come up to a day before, as phones' clocks are
   * ahead, and up to {@code lateMillis} after it.
   */
  static TimeSpan of(long fromMillis, long untilMillis, long lateMillis) {
    return new TimeSpan(
        fromMillis, untilMillis, fromMillis - DAY_MILLIS, untilMillis + Math.max(0, lateMillis));
  }

  /** Whether a record is in it. */
  boolean has(long atMillis, long receivedAtMillis) {
    return atMillis >= fromMillis
        && atMillis < untilMillis
        && receivedAtMillis >= receivedFromMillis
        && receivedAtMillis < receivedUntilMillis;
  }

  /** How long after its end a record may have come. */
  long lateMillis() {
    return receivedUntilMillis - untilMillis;
  }
}
