package gilmok.event;

import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive days in a time zone, and when each begins. Immutable.
 *
 * <p>A date that the zone has skipped (as Samoa's 30 December 2011) has no length.
 */
public final class DayRange {
  private static final int YEAR_MIN = 1970;
  private static final int YEAR_MAX = 2100;

  private final LocalDate first;
  private final long[] begins;

  private DayRange(LocalDate first, long[] begins) {
    this.first = first;
    this.begins = begins;
  }

  /**
   * The days from {@code first} to {@code last}, both inclusive.
   *
   * @throws IllegalArgumentException when {@code last} is before {@code first}
   */
  public static DayRange of(LocalDate first, LocalDate last, ZoneId zone) {
    int count = Math.toIntExact(last.toEpochDay() - first.toEpochDay() + 1);
    if (count < 1) {
      throw new IllegalArgumentException(last + " is before " + first);
    }
    long[] begins = new long[count + 1];
    for (int day = 0; day <= count; day++) {
      begins[day] = first.plusDays(day).atStartOfDay(zone).toInstant().toEpochMilli();
    }
    return new DayRange(first, begins);
  }

  /** A date of 1970 to 2100 as ISO 8601 spells it; null when the text is none. */
  public static @Nullable LocalDate date(@Nullable String spelled) {
    try {
      LocalDate date = spelled == null ? null : LocalDate.parse(spelled);
      return date == null || date.getYear() < YEAR_MIN || date.getYear() > YEAR_MAX ? null : date;
    } catch (DateTimeParseException none) {
      return null;
    }
  }

  /** The number of days. */
  public int count() {
    return begins.length - 1;
  }

  /** The date of a day; days are numbered from 0. */
  public LocalDate date(int day) {
    return first.plusDays(day);
  }

  /**
   * When a day begins, epoch ms; for {@code day} equal to {@link #count}, the end of the last day.
   */
  public long begin(int day) {
    return begins[day];
  }

  /** When the first day begins, epoch ms. */
  public long fromMillis() {
    return begins[0];
  }

  /** When the last day ends, exclusive, epoch ms. */
  public long untilMillis() {
    return begins[count()];
  }

  /**
   * The number of the day that contains a time. The time must be within these days.
   *
   * @param guess the day to search from, as that of the entry before: entries in order are then
   *     found at once
   */
  public int dayOf(long atMillis, int guess) {
    int day = guess;
    while (atMillis < begins[day]) {
      day--;
    }
    while (atMillis >= begins[day + 1]) {
      day++;
    }
    return day;
  }
}
