package gilmok.event;

/**
 * A decimal of at most 15 digits, at most 9 of them after the point, in one {@code long}: its
 * mantissa, zigzag, above four bits of scale. A fraction has no zeros at its end, so each number
 * has exactly one form.
 */
final class PackedDecimal {
  static final int SCALE_MAX = 9;
  static final long NONE = -1;

  /**
   * Below this value one test with the largest scale is enough: the mantissa has at most 15 digits.
   */
  private static final double ALL_SCALES_BOUND = 1e6;

  private static final long MANTISSA_BOUND = 1_000_000_000_000_000L;

  /** The powers of ten that fit into a long. */
  static final long[] TENS = new long[19];

  static {
    TENS[0] = 1;
    for (int i = 1; i < TENS.length; i++) {
      TENS[i] = TENS[i - 1] * 10;
    }
  }

  private PackedDecimal() {}

  /** Encodes a decimal of at most 15 digits. */
  static long of(long mantissa, int scale) {
    long digits = mantissa;
    int places = scale;
    while (places > 0) {
      long tenth = digits / 10;
      if (tenth * 10 != digits) {
        break;
      }
      digits = tenth;
      places--;
    }
    return (((digits << 1) ^ (digits >> 63)) << 4) | places;
  }

  /** Encodes a double; {@link #NONE} if it is no decimal within these limits. */
  static long of(double value) {
    if (value == 0 && 1 / value < 0) {
      return NONE;
    }
    if (Math.abs(value) < ALL_SCALES_BOUND) {
      double mantissa = Math.rint(value * TENS[SCALE_MAX]);
      return mantissa / TENS[SCALE_MAX] == value ? of((long) mantissa, SCALE_MAX) : NONE;
    }
    for (int scale = 0; scale <= SCALE_MAX; scale++) {
      double mantissa = Math.rint(value * TENS[scale]);
      if (!(Math.abs(mantissa) < MANTISSA_BOUND)) {
        return NONE;
      }
      if (mantissa / TENS[scale] == value) {
        return of((long) mantissa, scale);
      }
    }
    return NONE;
  }

  static long mantissa(long packed) {
    long zigzag = packed >>> 4;
    return (zigzag >>> 1) ^ -(zigzag & 1);
  }

  static int scale(long packed) {
    return (int) packed & 0xf;
  }

  static double toDouble(long packed) {
    return (double) mantissa(packed) / TENS[scale(packed)];
  }
}
