package gilmok.baseline;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * A rider's sums from the bytes of documents, as one writes it by hand when all else is too slow:
 * it steps from element to element, compares names as bytes, and knows each day's first
 * millisecond. Not thread-safe.
 */
final class RawBson {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final byte[] AT = name("at");
  private static final byte[] KIND = name("kind");
  private static final byte[] AMOUNT = name("amount");
  private static final byte[] CURRENCY = name("currency");
  private static final byte[] DISTANCE = name("distance");

  private final long[] begins;
  private final byte[] currency;
  final long[] fees;
  final long[] incentives;
  final long[] deductions;
  final long[] distances;
  final int[] counts;

  RawBson(LocalDate first, LocalDate last, ZoneId zone, String currency) {
    begins =
        first.datesUntil(last.plusDays(2))
            .flatMapToLong(day -> LongStream.of(day.atStartOfDay(zone).toInstant().toEpochMilli()))
            .toArray();
    this.currency = name(currency);
    int days = begins.length - 1;
    fees = new long[days];
    incentives = new long[days];
    deductions = new long[days];
    distances = new long[days];
    counts = new int[days];
  }

  /** Adds a document. One that is not of the usual types is refused. */
  void add(byte[] bytes) {
    long at = 0;
    long amount = 0;
    long distance = 0;
    byte kind = 0;
    boolean isOurs = false;
    int position = 4;
    while (bytes[position] != 0) {
      byte type = bytes[position];
      int name = position + 1;
      int value = name;
      while (bytes[value] != 0) {
        value++;
      }
      int length = ++value - name;
      if (is(bytes, name, length, AT)) {
        at = (long) LONG.get(bytes, value);
      } else if (is(bytes, name, length, KIND)) {
        kind = bytes[value + 4];
      } else if (is(bytes, name, length, AMOUNT)) {
        amount = (long) LONG.get(bytes, value);
      } else if (is(bytes, name, length, DISTANCE)) {
        distance = (long) LONG.get(bytes, value);
      } else if (is(bytes, name, length, CURRENCY)) {
        isOurs = is(bytes, value + 4, (int) INT.get(bytes, value), currency);
      }
      position =
          value
              + switch (type) {
                case 0x02 -> 4 + (int) INT.get(bytes, value);
                case 0x12, 0x01, 0x09 -> 8;
                case 0x10 -> 4;
                case 0x08 -> 1;
                case 0x0A -> 0;
                default -> throw new IllegalArgumentException("a value of the type " + type);
              };
    }
    if (isOurs) {
      add(at, kind, amount, distance);
    }
  }

  private void add(long at, byte kind, long amount, long distance) {
    int found = Arrays.binarySearch(begins, at);
    int day = found < 0 ? -found - 2 : found;
    if (day < 0 || day >= counts.length) {
      return;
    }
    counts[day]++;
    distances[day] += distance;
    switch (kind) {
      case 'f' -> fees[day] += amount;
      case 'i' -> incentives[day] += amount;
      case 'd' -> deductions[day] += amount;
      default -> throw new IllegalArgumentException("a kind that begins with " + (char) kind);
    }
  }

  private static boolean is(byte[] bytes, int from, int length, byte[] name) {
    return length == name.length
        && Arrays.equals(bytes, from, from + length, name, 0, name.length);
  }

  /** The name with the zero that ends it. */
  private static byte[] name(String text) {
    return Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), text.length() + 1);
  }
}
