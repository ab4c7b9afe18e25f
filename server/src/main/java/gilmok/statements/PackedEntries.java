package gilmok.statements;

import gilmok.event.LittleEndian;
import java.util.Arrays;
import java.util.List;

/**
 * What a statement sums of entries of one rider, UTC day and currency, as bytes: each entry is four
 * bytes of time (ms into the day) and kind, then amount and distance, seven bits a byte with the
 * lowest first. A day of UTC, as a zone's days can be made of it whatever the zone is. From any
 * thread.
 */
final class PackedEntries {
  /** How long a day of UTC is. */
  static final long DAY_MILLIS = 86_400_000L;

  /** Most bytes that an entry can take. */
  private static final int ENTRY_BYTES_MAX = 4 + 6 + 5;

  private static final List<EntryKind> KINDS =
      List.of(EntryKind.FEE, EntryKind.INCENTIVE, EntryKind.DEDUCTION);
  private static final int KIND_BITS = 2;
  private static final int KIND_MASK = 3;

  private byte[] bytes;
  private int size;

  /** Those of these bytes, to add more. */
  PackedEntries(byte[] before) {
    bytes = Arrays.copyOf(before, before.length + 4 * ENTRY_BYTES_MAX);
    size = before.length;
  }

  /** The UTC day of that time, counted from 1970. */
  static long day(long atMillis) {
    return Math.floorDiv(atMillis, DAY_MILLIS);
  }

  /** One more. */
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

  /** How many bytes they are. */
  int size() {
    return size;
  }

  /** All of them. */
  byte[] bytes() {
    return Arrays.copyOf(bytes, size);
  }

  /** Adds those of these days to the sums. */
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

  /** Whether one of them is of these days. */
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

  /** About the number of the day of that time: days are 24 hours long, or nearly. */
  private static int near(DayRange days, long atMillis) {
    return (int) Math.min((atMillis - days.fromMillis()) / DAY_MILLIS, days.count() - 1L);
  }
}
