package gilmok.event;

/**
 * A decimal of at most 15 digits and at most 9 behind the point in one {@code long}: its mantissa,
 * zigzag, above four bits of scale. No zeros stand at the end of a fraction, so each number has one
 * form.
 */
final class PackedDecimal {
  static final int SCALE_MAX = 9;
  static final long NONE = -1;

  /** Below it the largest scale decides for all: the mantissa has at most 15 digits. */
  private static final double ALL_SCALES_BOUND = 1e6;

  private static final long MANTISSA_BOUND = 1_000_000_000_000_000L;

  /** The powers of ten that a long can be. */
  static final long[] TENS = new long[19];

  static {
    TENS[0] = 1;
    for (int i = 1; i < TENS.length; i++) {
      TENS[i] = TENS[i - 1] * 10;
    }
  }

  private PackedDecimal() {}

  /** Packs a decimal of at most 15 digits. */
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

  /** Packs a double; {@link #NONE} if no decimal in bounds stands for it. */
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
