package gilmok.event;

import java.nio.charset.StandardCharsets;

/**
 * Reads one number as JSON spells it.
 *
 * <p>A number means its nearest double: {@code 5}, {@code 5.0} and {@code 5e0} are the same number.
 * No two decimals of at most 15 digits have the same nearest double, so such a decimal is kept as
 * it is, without conversion: nearly all numbers here are of this kind. The others are converted by
 * one multiplication or division where both sides are exact (Clinger, "How to read floating point
 * numbers accurately"), by {@link Reciprocals} up to 18 digits and 27 places, else by {@link
 * Double#parseDouble}.
 *
 * <p>Not thread-safe: reused by the thread that reads.
 */
public final class Decimal {
  /** How many bytes after a number {@link #scan} may read. */
  public static final int REACH = 18;

  private static final double[] EXACT_TENS = new double[23];
  private static final Reciprocals RECIPROCALS = new Reciprocals();

  private static final long ZEROS = 0x3030303030303030L;
  private static final long NOT_DIGIT = 0x7676767676767676L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long MANTISSA_MAX = 1_000_000_000_000_000L;
  private static final int EXPONENT_BOUND = 100_000_000;

  static {
    EXACT_TENS[0] = 1;
    for (int i = 1; i < EXACT_TENS.length; i++) {
      EXACT_TENS[i] = EXACT_TENS[i - 1] * 10;
    }
  }

  private byte[] bytes = {};
  private int start;
  private int end;
  private boolean negative;
  long mantissa;
  int exponent;
  private int zeros;
  private boolean cut;
  boolean small;

  /**
   * Reads the number that starts at {@code start}.
   *
   * @param bytes must have {@link #REACH} more bytes after the number
   * @return where it ends, or {@code ~p} if the byte at {@code p} is not allowed there
   */
  public int scan(byte[] bytes, int start) {
    int p = start;
    boolean minus = bytes[p] == '-';
    if (minus) {
      p++;
    }
    long whole = LittleEndian.getLong(bytes, p) ^ ZEROS;
    int wholeDigits = digits(whole);
    if (((wholeDigits - 1) >>> 1) > 2 || ((whole & 0xff) == 0 && wholeDigits != 1)) {
      return wholeDigits == 8 && (whole & 0xff) != 0
          ? scanWhole(bytes, start, p + 8, minus, eight(whole))
          : scanSlowly(bytes, start); // none or seven; or a zero in front
    }
    long value = eight(whole << (64 - 8 * wholeDigits));
    p += wholeDigits;
    int scale = 0;
    if (bytes[p] == '.') {
      long fraction = LittleEndian.getLong(bytes, p + 1) ^ ZEROS;
      scale = digits(fraction);
      if (((scale - 1) >>> 3) != 0) {
        return scanSlowly(bytes, start); // none
      }
      value = value * PackedDecimal.TENS[scale] + eight(fraction << (64 - 8 * scale));
      p += 1 + scale;
      if (scale == 8 && isDigit(bytes[p])) {
        return scanLong(bytes, start, p, minus, value);
      }
    }
    if ((bytes[p] | 0x20) == 'e' || (minus && value == 0)) {
      return scanSlowly(bytes, start);
    }
    mantissa = minus ? -value : value;
    exponent = -scale;
    cut = false;
    small = true;
    return p;
  }

  /** Continues after eight digits in front: epoch milliseconds have thirteen, and no fraction. */
  private int scanWhole(byte[] bytes, int start, int from, boolean minus, long front) {
    long rest = LittleEndian.getLong(bytes, from) ^ ZEROS;
    int more = digits(rest);
    int p = from + more;
    if (more > 6 || bytes[p] == '.' || (bytes[p] | 0x20) == 'e') {
      return scanSlowly(bytes, start);
    }
    long value =
        more == 0 ? front : front * PackedDecimal.TENS[more] + eight(rest << (64 - 8 * more));
    mantissa = minus ? -value : value;
    exponent = 0;
    cut = false;
    small = true;
    return p;
  }

  /** Continues after eight digits of fraction: a double in full has up to nine more. */
  private int scanLong(byte[] bytes, int start, int from, boolean minus, long front) {
    long fraction = LittleEndian.getLong(bytes, from) ^ ZEROS;
    int more = digits(fraction);
    int p = from + more;
    if (front >= PackedDecimal.TENS[18 - more] || isDigit(bytes[p]) || (bytes[p] | 0x20) == 'e') {
      return scanSlowly(bytes, start);
    }
    long value = front * PackedDecimal.TENS[more] + eight(fraction << (64 - 8 * more));
    if (value == 0) {
      return scanSlowly(bytes, start);
    }
    this.bytes = bytes;
    this.start = start;
    end = p;
    negative = minus;
    mantissa = minus ? -value : value;
    exponent = -8 - more;
    cut = false;
    small = false;
    return p;
  }

  /** How many leading bytes are digits; 8 if all are. A digit is 0 to 9 here, not ASCII. */
  private static int digits(long word) {
    return Long.numberOfTrailingZeros(((word + NOT_DIGIT) | word) & HIGH_BITS) >>> 3;
  }

  /** The value of eight digits; the first is in the lowest byte. */
  private static long eight(long digits) {
    long pairs = (digits * 10 + (digits >>> 8)) & 0x00ff00ff00ff00ffL;
    long fours = (pairs * 100 + (pairs >>> 16)) & 0x0000ffff0000ffffL;
    return (fours * 10_000 + (fours >>> 32)) & 0xffffffffL;
  }

  private int scanSlowly(byte[] bytes, int start) {
    this.bytes = bytes;
    this.start = start;
    negative = bytes[start] == '-';
    mantissa = 0;
    exponent = 0;
    zeros = 0;
    cut = false;
    small = false;
    int p = negative ? start + 1 : start;
    if (!isDigit(bytes[p])) {
      return ~p;
    }
    int first = p;
    p = run(bytes, p, false);
    if (bytes[first] == '0' && p > first + 1) {
      return ~(first + 1);
    }
    if (bytes[p] == '.') {
      int fraction = ++p;
      p = run(bytes, p, true);
      if (p == fraction) {
        return ~p;
      }
    }
    p = (bytes[p] | 0x20) == 'e' ? exponent(bytes, p + 1) : p;
    end = p;
    if (p >= 0) {
      settle();
    }
    return p;
  }

  /** Reads a run of digits. The last one that is not zero decides the exponent. */
  private int run(byte[] bytes, int from, boolean isFraction) {
    int p = from;
    for (; isDigit(bytes[p]); p++) {
      if (bytes[p] == '0') {
        zeros++;
        continue;
      }
      take(bytes[p] - '0');
      exponent = from - p - 1;
    }
    if (!isFraction) {
      exponent = mantissa == 0 ? 0 : zeros;
    }
    return p;
  }

  /** Appends a digit to the mantissa, which does not end in zeros: 18 digits at most. */
  private void take(int digit) {
    if (mantissa == 0) {
      mantissa = digit;
    } else if (!cut && zeros < 17 && mantissa < PackedDecimal.TENS[17 - zeros]) {
      mantissa = mantissa * PackedDecimal.TENS[zeros + 1] + digit;
    } else {
      cut = true;
    }
    zeros = 0;
  }

  private int exponent(byte[] bytes, int from) {
    int p = bytes[from] == '+' || bytes[from] == '-' ? from + 1 : from;
    if (!isDigit(bytes[p])) {
      return ~p;
    }
    int value = 0;
    while (isDigit(bytes[p])) {
      value = Math.min(value * 10 + bytes[p] - '0', EXPONENT_BOUND);
      p++;
    }
    exponent += bytes[from] == '-' ? -value : value;
    return p;
  }

  /** Converts a decimal of up to 15 digits to the form of the fast path. */
  private void settle() {
    while (exponent > 0 && !cut && mantissa < MANTISSA_MAX / 10 && mantissa != 0) {
      mantissa *= 10;
      exponent--;
    }
    if (mantissa == 0) {
      exponent = 0;
    }
    small =
        !cut
            && mantissa < MANTISSA_MAX
            && exponent <= 0
            && exponent >= -PackedDecimal.SCALE_MAX
            && !(negative && mantissa == 0);
    mantissa = negative ? -mantissa : mantissa;
  }

  /** Whether the number just read is whole. */
  public boolean isWhole() {
    return exponent >= 0
        || (!cut && exponent >= -18 && mantissa % PackedDecimal.TENS[-exponent] == 0)
        || mantissa == 0;
  }

  /** The whole number just read; {@link Long#MAX_VALUE} or {@code MIN_VALUE} beyond 18 digits. */
  public long whole() {
    if (exponent <= 0 && !cut) {
      return mantissa / PackedDecimal.TENS[Math.min(-exponent, 18)];
    }
    return mantissa < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  /** The double nearest to the number just read; infinite when too large. */
  public double toDouble() {
    double value;
    long magnitude = Math.abs(mantissa);
    if (!cut && magnitude <= 1L << 53 && exponent >= -22 && exponent <= 22) {
      value = exponent < 0 ? magnitude / EXACT_TENS[-exponent] : magnitude * EXACT_TENS[exponent];
    } else if (!cut && mantissa != 0 && exponent <= 0 && exponent >= -Reciprocals.POWER_MAX) {
      value = RECIPROCALS.nearest(magnitude, -exponent);
    } else {
      return Double.parseDouble(new String(bytes, start, end - start, StandardCharsets.ISO_8859_1));
    }
    return (small ? mantissa < 0 : negative) ? -value : value;
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }
}
