package gilmok.cli;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.OffsetDateTime;

/** Parses times as recordings write them, to milliseconds since 1970. Pure functions. */
final class RecordingTimes {
  /**
   * The limit between seconds and milliseconds: smaller numbers are seconds (until the year 5138),
   * others milliseconds (since 1973).
   */
  private static final long SECONDS_MAX = 100_000_000_000L;

  private RecordingTimes() {}

  /** Parses a number, or a date and time; without a zone it is UTC. */
  static long millis(String text) {
    try {
      if (NumberTexts.isNumber(text)) {
        BigDecimal number = new BigDecimal(text);
        boolean seconds = number.abs().compareTo(BigDecimal.valueOf(SECONDS_MAX)) < 0;
        return (seconds ? number.movePointRight(3) : number).longValue();
      }
      String dated = text.replace(' ', 'T');
      boolean zoned = dated.matches(".*T.*(?:[Zz]|[+-]\\d\\d:?\\d\\d)");
      return OffsetDateTime.parse(zoned ? dated : dated + "Z").toInstant().toEpochMilli();
    } catch (DateTimeException | ArithmeticException unreadable) {
      return ReplayPace.UNKNOWN;
    }
  }
}
