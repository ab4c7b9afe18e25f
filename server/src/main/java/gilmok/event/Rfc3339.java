package gilmok.event;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes RFC 3339 times, as milliseconds since 1970-01-01T00:00:00Z.
 *
 * <p>Reads any offset; tolerates {@code t}, {@code z} and a space for the {@code T}; cuts a
 * fraction of any length to milliseconds; takes a leap second 60 as 59.999. Writes UTC, with a
 * fraction only where there is one.
 *
 * <p>An instance remembers the last date it has read, because most times of a batch are of one day.
 * Not thread-safe.
 */
public final class Rfc3339 {
  /** The result of {@link #parse} when the text is no time. */
  public static final long NOT_A_TIME = Long.MIN_VALUE;

  /** How many bytes {@link #parseQuoted} may read. */
  public static final int REACH = 25;

  private static final long DAY_MILLIS = 86_400_000L;
  private static final long DATE = 0x2d30302d30303030L; // 0000-00-
  private static final long DATE_MARKS = 0xff0000ff00000000L;
  private static final long HOURS = 0x30303a3030543030L; // 00T00:00
  private static final long HOURS_MARKS = 0x0000ff0000ff0000L;
  private static final long SECONDS = 0x30303aL; // :00
  private static final long NOT_DIGIT = 0x7676767676767676L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private long dateHead;
  private int dateTail = -1;
  private long dateMillis;

  /**
   * Reads the most common forms, {@code 2026-01-31T23:59:59Z} with or without three digits of
   * fraction, followed by a quotation mark; returns {@link #NOT_A_TIME} for every other text.
   *
   * @param offset where the year starts; {@link #REACH} bytes from there must be readable
   */
  public long parseQuoted(byte[] bytes, int offset) {
    long head = LittleEndian.getLong(bytes, offset);
    long hours = LittleEndian.getLong(bytes, offset + 8) ^ HOURS;
    long tail = LittleEndian.getLong(bytes, offset + 16);
    long seconds = (tail ^ SECONDS) & 0xffffff;
    long bad = (hours & HOURS_MARKS) | (seconds & 0xff);
    bad |= ((hours + NOT_DIGIT) | hours | (seconds + NOT_DIGIT) | seconds) & HIGH_BITS;
    if (bad != 0) {
      return NOT_A_TIME;
    }
    long pairs = hours * 10 + (hours >>> 8);
    int hour = (int) (pairs >>> 24) & 0xff;
    int minute = (int) (pairs >>> 48) & 0xff;
    int second = (int) (((seconds >>> 8) & 0xff) * 10 + (seconds >>> 16));
    if (hour > 23 || minute > 59 || second > 59) {
      return NOT_A_TIME;
    }
    int millis = quotedFraction(bytes, offset, tail >>> 24);
    int day = (int) hours & 0xffff;
    if (millis < 0 || ((head != dateHead || day != dateTail) && !date(head, day))) {
      return NOT_A_TIME;
    }
    return dateMillis + ((hour * 60 + minute) * 60 + second) * 1000 + millis;
  }

  /** The length of the text that {@link #parseQuoted} has just read. */
  public static int quotedLength(byte[] bytes, int offset) {
    return bytes[offset + 19] == '.' ? 24 : 20;
  }

  private static int quotedFraction(byte[] bytes, int offset, long rest) {
    if ((rest & 0xffff) == ('Z' | ('"' << 8))) {
      return 0;
    }
    long digits = (rest ^ 0x3030302eL) & 0xffffffffL;
    long bad = (digits & 0xff) | (((digits + NOT_DIGIT) | digits) & 0x80808080L);
    if (bad != 0 || ((rest >>> 32) & 0xff) != 'Z' || bytes[offset + 24] != '"') {
      return -1;
    }
    return (int) (((digits >>> 8) & 0xff) * 100 + ((digits >>> 16) & 0xff) * 10 + (digits >>> 24));
  }

  private boolean date(long head, int day) {
    long digits = head ^ DATE;
    if (((digits & DATE_MARKS) | (((digits + NOT_DIGIT) | digits) & HIGH_BITS)) != 0) {
      return false;
    }
    long pairs = digits * 10 + (digits >>> 8);
    int year = (int) (pairs & 0xff) * 100 + (int) ((pairs >>> 16) & 0xff);
    int month = (int) ((pairs >>> 40) & 0xff);
    int dayOfMonth = (day & 0xff) * 10 + (day >>> 8);
    if (month < 1 || month > 12 || dayOfMonth < 1 || dayOfMonth > length(year, month)) {
      return false;
    }
    dateHead = head;
    dateTail = day;
    dateMillis = epochDay(year, month, dayOfMonth) * DAY_MILLIS;
    return true;
  }

  /** Reads a whole text; {@link #NOT_A_TIME} if it is no time. */
  public static long parse(byte[] bytes, int start, int end) {
    if (end - start < 20 || bytes[start + 4] != '-' || bytes[start + 7] != '-') {
      return NOT_A_TIME;
    }
    int year = pair(bytes, start) * 100 + pair(bytes, start + 2);
    int month = pair(bytes, start + 5);
    int day = pair(bytes, start + 8);
    int hour = pair(bytes, start + 11);
    int minute = pair(bytes, start + 14);
    int second = pair(bytes, start + 17);
    byte mark = bytes[start + 10];
    boolean wrong =
        (mark != 'T' && mark != 't' && mark != ' ')
            || bytes[start + 13] != ':'
            || bytes[start + 16] != ':'
            || pair(bytes, start) < 0
            || pair(bytes, start + 2) < 0
            || month < 1
            || month > 12
            || day < 1
            || day > length(year, month)
            || hour < 0
            || hour > 23
            || minute < 0
            || minute > 59
            || second < 0
            || second > 60;
    if (wrong) {
      return NOT_A_TIME;
    }
    long millis =
        epochDay(year, month, day) * DAY_MILLIS
            + ((hour * 60 + minute) * 60 + Math.min(second, 59)) * 1000L;
    return tail(bytes, start + 19, end, millis, second == 60);
  }

  /** The time of a text, epoch ms; {@link #NOT_A_TIME} when it is no time, or null. */
  public static long parse(@Nullable String text) {
    byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    return parse(bytes, 0, bytes.length);
  }

  /** Reads the fraction and the offset. */
  private static long tail(byte[] bytes, int start, int end, long whole, boolean leap) {
    int p = start;
    int millis = 0;
    if (bytes[p] == '.') {
      int weight = 100;
      int first = ++p;
      while (p < end && isDigit(bytes[p])) {
        millis += (bytes[p++] - '0') * weight;
        weight /= 10;
      }
      if (p == first) {
        return NOT_A_TIME;
      }
    }
    long offset = offset(bytes, p, end);
    return offset == NOT_A_TIME ? NOT_A_TIME : whole + (leap ? 999 : millis) - offset;
  }

  private static long offset(byte[] bytes, int p, int end) {
    if (p + 1 == end && (bytes[p] == 'Z' || bytes[p] == 'z')) {
      return 0;
    }
    if (p + 6 != end || (bytes[p] != '+' && bytes[p] != '-') || bytes[p + 3] != ':') {
      return NOT_A_TIME;
    }
    int hours = pair(bytes, p + 1);
    int minutes = pair(bytes, p + 4);
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) {
      return NOT_A_TIME;
    }
    long offset = (hours * 60 + minutes) * 60_000L;
    return bytes[p] == '-' ? -offset : offset;
  }

  /** Writes a time of the years 0 to 9999; returns where it ends. At most 24 bytes. */
  static int write(byte[] target, int offset, long millis) {
    long day = Math.floorDiv(millis, DAY_MILLIS);
    int rest = (int) (millis - day * DAY_MILLIS);
    int p = date(target, offset, day);
    target[p++] = 'T';
    p = twoDigits(target, p, rest / 3_600_000);
    target[p++] = ':';
    p = twoDigits(target, p, rest / 60_000 % 60);
    target[p++] = ':';
    p = twoDigits(target, p, rest / 1000 % 60);
    int fraction = rest % 1000;
    if (fraction != 0) {
      target[p++] = '.';
      target[p++] = (byte) ('0' + fraction / 100);
      p = twoDigits(target, p, fraction % 100);
    }
    target[p++] = 'Z';
    return p;
  }

  /** The civil date of a day since 1970, after Howard Hinnant's "chrono-compatible algorithms". */
  private static int date(byte[] target, int offset, long epochDay) {
    long shifted = epochDay + 719_468;
    long era = Math.floorDiv(shifted, 146_097L);
    int dayOfEra = (int) (shifted - era * 146_097);
    int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
    int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    int shiftedMonth = (5 * dayOfYear + 2) / 153;
    int day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1;
    int month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
    int year = (int) (yearOfEra + era * 400) + (month <= 2 ? 1 : 0);
    int p = twoDigits(target, offset, year / 100);
    p = twoDigits(target, p, year % 100);
    target[p++] = '-';
    p = twoDigits(target, p, month);
    target[p++] = '-';
    return twoDigits(target, p, day);
  }

  private static int twoDigits(byte[] target, int offset, int value) {
    target[offset] = (byte) ('0' + value / 10);
    target[offset + 1] = (byte) ('0' + value % 10);
    return offset + 2;
  }

  private static long epochDay(int year, int month, int day) {
    int shiftedYear = month <= 2 ? year - 1 : year;
    int era = Math.floorDiv(shiftedYear, 400);
    int yearOfEra = shiftedYear - era * 400;
    int dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * 146_097L + dayOfEra - 719_468;
  }

  private static int length(int year, int month) {
    if (month == 2) {
      return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
    }
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
  }

  private static int pair(byte[] bytes, int p) {
    return isDigit(bytes[p]) && isDigit(bytes[p + 1])
        ? (bytes[p] - '0') * 10 + bytes[p + 1] - '0'
        : -1;
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }
}
