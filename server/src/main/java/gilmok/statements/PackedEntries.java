package gilmok.statements;

import gilmok.event.DayRange;
import gilmok.event.LittleEndian;
import java.util.Arrays;
import java.util.List;

/**
 * The entries of one rider, UTC day and currency, encoded with only what a statement sums. An entry
 * is four bytes with its time (ms of the day) and kind, then amount and distance as varints: seven
 * bits a byte, the lowest first. The days are UTC days, from which the days of any zone can be
 * made. Not thread-safe; the static methods are.
 */
final class PackedEntries {
  /** The length of a UTC day, in ms. */
  static final long DAY_MILLIS = 86_400_000L;

  /** The largest size of an entry. */
  private static final int ENTRY_BYTES_MAX = 4 + 6 + 5;

  private static final List<EntryKind> KINDS =
      List.of(EntryKind.FEE, EntryKind.INCENTIVE, EntryKind.DEDUCTION);
  private static final int KIND_BITS = 2;
  private static final int KIND_MASK = 3;

  private byte[] bytes;
  private int size;

  /** Entries that were encoded before, to which more can be added. */
  PackedEntries(byte[] before) {
    bytes = Arrays.copyOf(before, before.length + 4 * ENTRY_BYTES_MAX);
    size = before.length;
  }

  /** The UTC day of a time, in days since 1970-01-01. */
  static long day(long atMillis) {
    return Math.floorDiv(atMillis, DAY_MILLIS);
  }

  /** Adds an entry. */
  void add(StatementEntry entry) {
    if (bytes.length - size < ENTRY_BYTES_MAX) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
    int inDay = Math.floorMod(entry.atMillis(), (int) DAY_MILLIS);
    int head = (inDay << KIND_BITS) | KINDS.indexOf(entry.kind());
    LittleEndian.putInt(bytes, size, head);
    size += Integer.BYTES;
    number(entry.amount());
    number(entry.distance());
  }

  private void number(long value) {
    long rest = value;
    while (rest > 0x7f) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** The size in bytes. */
  int size() {
    return size;
  }

  /** The encoded entries, copied. */
  byte[] bytes() {
    return Arrays.copyOf(bytes, size);
  }

  /** Adds the encoded entries that are within {@code days} to the sums. */
  static void sum(byte[] packed, long utcDay, DayRange days, DaySums sums) {
    long base = utcDay * DAY_MILLIS;
    int guess = -1;
    int at = 0;
    while (at < packed.length) {
      int head = LittleEndian.getInt(packed, at);
      at += Integer.BYTES;
      long amount = packed[at++];
      if (amount < 0) {
        amount &= 0x7f;
        int shift = 7;
        byte more;
        do {
          more = packed[at++];
          amount |= (long) (more & 0x7f) << shift;
          shift += 7;
        } while (more < 0);
      }
      long distance = packed[at++];
      if (distance < 0) {
        distance &= 0x7f;
        int shift = 7;
        byte more;
        do {
          more = packed[at++];
          distance |= (long) (more & 0x7f) << shift;
          shift += 7;
        } while (more < 0);
      }
      long millis = base + (head >>> KIND_BITS);
      if (millis >= days.fromMillis() && millis < days.untilMillis()) {
        guess = guess < 0 ? near(days, millis) : guess;
        guess = days.dayOf(millis, guess);
        sums.add(guess, KINDS.get(head & KIND_MASK), amount, distance);
      }
    }
  }

  /** Whether any of the encoded entries is within {@code days}. */
  static boolean hasAny(byte[] packed, long utcDay, DayRange days) {
    long base = utcDay * DAY_MILLIS;
    int at = 0;
    while (at < packed.length) {
      long millis = base + (LittleEndian.getInt(packed, at) >>> KIND_BITS);
      if (millis >= days.fromMillis() && millis < days.untilMillis()) {
        return true;
      }
      at += Integer.BYTES;
      for (int ends = 0; ends < 2; at++) {
        ends += packed[at] >= 0 ? 1 : 0;
      }
    }
    return false;
  }

  /** A guess at the number of the day that contains a time, as if all days had 24 hours. */
  private static int near(DayRange days, long atMillis) {
    return (int) Math.min((atMillis - days.fromMillis()) / DAY_MILLIS, days.count() - 1L);
  }
}
