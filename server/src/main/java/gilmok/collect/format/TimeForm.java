package gilmok.collect.format;

import gilmok.collect.dialect.PhoneNumbers;
import gilmok.collect.dialect.PhoneTimes;
import java.text.ParsePosition;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a format spells times. Pure functions; immutable.
 *
 * @param perSecond numbers: how many of the unit make a second; 0 for seconds below 2147483647 and
 *     milliseconds from there on
 * @param pattern texts: a pattern of {@link DateTimeFormatter}; null for ISO 8601
 * @param zone the zone of texts that name none
 */
public record TimeForm(double perSecond, @Nullable DateTimeFormatter pattern, ZoneId zone) {
  /** Epoch seconds or milliseconds, by their size, or ISO 8601 in UTC. */
  public static final TimeForm USUAL = new TimeForm(0, null, ZoneOffset.UTC);

  /**
   * As Java writes times: without seconds where these are 0, with the zone's name behind the
   * offset.
   */
  private static final Pattern JAVA =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d)(:[\\d.]+)?(Z|[+-]\\d\\d:\\d\\d)?(\\[[\\w/+-]+])?");

  private static final int JAVA_CHARS_MAX = 80;
  private static final double MILLIS_PER_SECOND = 1_000;
  private static final double MILLIS_MAX = 1e16;
  private static final int YEAR_MAX = 9_999;

  /** A time that is a number; {@link PhoneTimes#NOT_A_TIME} if it is none. */
  public long of(double number) {
    if (perSecond == 0) {
      return PhoneTimes.epoch(number);
    }
    double millis = number * MILLIS_PER_SECOND / perSecond;
    return millis >= 0 && millis < MILLIS_MAX ? Math.round(millis) : PhoneTimes.NOT_A_TIME;
  }

  /** A time that is a text; {@link PhoneTimes#NOT_A_TIME} if it is none. Throws nothing. */
  public long of(String text) {
    if (pattern != null) {
      return parsed(text.strip(), pattern);
    }
    double number = perSecond == 0 || text.length() < 19 ? PhoneNumbers.of(text) : Double.NaN;
    if (!Double.isNaN(number)) {
      return of(number);
    }
    long millis = zone.equals(ZoneOffset.UTC) ? PhoneTimes.iso(text) : inZone(text.strip());
    if (millis != PhoneTimes.NOT_A_TIME || text.length() > JAVA_CHARS_MAX) {
      return millis;
    }
    Matcher java = JAVA.matcher(text.strip());
    boolean isShorter = java.matches() && (java.group(2) == null || java.group(4) != null);
    if (!isShorter) {
      return PhoneTimes.NOT_A_TIME;
    }
    String seconds = java.group(2) == null ? ":00" : java.group(2);
    String offset = java.group(3) == null ? "" : java.group(3);
    return of(java.group(1) + seconds + offset);
  }

  /** ISO 8601; without an offset it is a time in the zone. */
  private long inZone(String text) {
    boolean hasOffset =
        text.length() > 19
            && (text.endsWith("Z")
                || text.endsWith("z")
                || text.indexOf('+', 19) >= 0
                || text.indexOf('-', 19) >= 0);
    long millis = PhoneTimes.iso(text);
    if (hasOffset || millis == PhoneTimes.NOT_A_TIME) {
      return millis;
    }
    long seconds = Math.floorDiv(millis, 1_000L);
    int nanos = (int) Math.floorMod(millis, 1_000L) * 1_000_000;
    LocalDateTime local = LocalDateTime.ofEpochSecond(seconds, nanos, ZoneOffset.UTC);
    return local.atZone(zone).toInstant().toEpochMilli();
  }

  /** By fields and not by resolving, which would throw for each text that is no time. */
  private long parsed(String text, DateTimeFormatter formatter) {
    ParsePosition position = new ParsePosition(0);
    TemporalAccessor found = formatter.parseUnresolved(text, position);
    if (found == null || position.getErrorIndex() >= 0 || position.getIndex() < text.length()) {
      return PhoneTimes.NOT_A_TIME;
    }
    long year = get(found, ChronoField.YEAR, get(found, ChronoField.YEAR_OF_ERA, -1));
    int month = part(found, ChronoField.MONTH_OF_YEAR, 1);
    int day = part(found, ChronoField.DAY_OF_MONTH, 1);
    int hour = part(found, ChronoField.HOUR_OF_DAY, 0);
    int minute = part(found, ChronoField.MINUTE_OF_HOUR, 0);
    int second = part(found, ChronoField.SECOND_OF_MINUTE, 0);
    int nanos = part(found, ChronoField.NANO_OF_SECOND, 0);
    boolean isWrong = year < 0 || year > YEAR_MAX || hour < 0 || minute < 0 || second < 0;
    isWrong |= nanos < 0 || month < 0 || day < 0;
    if (isWrong || !YearMonth.of((int) year, month).isValidDay(day)) {
      return PhoneTimes.NOT_A_TIME;
    }
    LocalDateTime local = LocalDateTime.of((int) year, month, day, hour, minute, second, nanos);
    if (found.isSupported(ChronoField.OFFSET_SECONDS)) {
      int offset = (int) found.getLong(ChronoField.OFFSET_SECONDS);
      return local.toInstant(ZoneOffset.ofTotalSeconds(offset)).toEpochMilli();
    }
    return local.atZone(zone).toInstant().toEpochMilli();
  }

  /** A part of a time; -1 if it is out of its range, which nobody has checked yet. */
  private static int part(TemporalAccessor found, ChronoField field, int otherwise) {
    long value = get(found, field, otherwise);
    return field.range().isValidIntValue(value) ? (int) value : -1;
  }

  private static long get(TemporalAccessor found, ChronoField field, long otherwise) {
    return found.isSupported(field) ? found.getLong(field) : otherwise;
  }
}
