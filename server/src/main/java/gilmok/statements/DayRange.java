package gilmok.statements;

import java.time.LocalDate;
import java.time.ZoneId;

/**
 * Some days in a row, and when each begins in a time zone. Immutable.
 *
 * <p>A date that a zone has left out (as Samoa's 30 December 2011) has no length.
 */
public final class DayRange {
  private final LocalDate first;
  private final long[] begins;

  private DayRange(LocalDate first, long[] begins) {
    this.first = first;
    this.begins = begins;
  }

  /**
   * From one date to another, both inclusive.
   *
   * @throws IllegalArgumentException when the second is before the first
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

  /** How many. */
  public int count() {
    return begins.length - 1;
  }

  /** The date of the day of that number, from 0. */
  public LocalDate date(int day) {
    return first.plusDays(day);
  }

  /** When that day begins, epoch ms; the number of days for the end of the last one. */
  public long begin(int day) {
    return begins[day];
  }

  /** When the first begins, epoch ms. */
  public long fromMillis() {
    return begins[0];
  }

  /** When the last has ended, epoch ms. */
  public long untilMillis() {
    return begins[count()];
  }

  /**
   * The number of the day of that time, which must be one of these.
   *
   * @param guess where to look first: the day of an earlier entry, so that what comes in order is
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
