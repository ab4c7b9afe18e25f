package gilmok.collect.dialect;

import gilmok.collect.json.JsonDocument;
import gilmok.event.Rfc3339;

/** Parses times as phones write them, to milliseconds since 1970. Pure functions. */
public final class PhoneTimes {
  /** The result for a text or number that is no time. */
  public static final long NOT_A_TIME = Rfc3339.NOT_A_TIME;

  /** Smaller numbers are seconds, before 2038; all others are milliseconds. */
  private static final double SECONDS_MAX = Integer.MAX_VALUE;

  private static final double MILLIS_MAX = 1e16;

  private PhoneTimes() {}

  /** Epoch seconds below 2147483647, epoch milliseconds from there on. */
  public static long epoch(double value) {
    if (!(value >= 0 && value < MILLIS_MAX)) {
      return NOT_A_TIME;
    }
    return value < SECONDS_MAX ? Math.round(value * 1000) : Math.round(value);
  }

  /** Epoch seconds. */
  public static long seconds(double value) {
    return value >= 0 && value * 1000 < MILLIS_MAX ? Math.round(value * 1000) : NOT_A_TIME;
  }

  /** A JSON value: a text as {@link #iso} reads it, a number as {@link #epoch} does. */
  public static long of(JsonDocument document, int value) {
    String text = document.text(value);
    return text == null ? epoch(document.number(value)) : iso(text);
  }

  /**
   * Parses ISO 8601 as phones write it: a blank may replace the {@code T}; the offset may lack its
   * colon or its minutes, and its plus sign may be a blank, as in a query that was not encoded;
   * without an offset the time is UTC.
   */
  public static long iso(String text) {
    String time = text.strip();
    int length = time.length();
    if (length < 19 || length > 64) {
      return NOT_A_TIME;
    }
    int blank = time.indexOf(' ', 19);
    if (blank >= 0) {
      time = time.substring(0, blank) + '+' + time.substring(blank + 1);
    }
    int sign = Math.max(time.indexOf('+', 19), time.indexOf('-', 19));
    if (sign < 0) {
      char last = time.charAt(length - 1);
      time = last == 'Z' || last == 'z' ? time : time + "Z";
    } else if (length - sign == 3) {
      time = time + ":00";
    } else if (length - sign == 5) {
      time = time.substring(0, sign + 3) + ":" + time.substring(sign + 3);
    }
    return Rfc3339.parse(time);
  }
}
