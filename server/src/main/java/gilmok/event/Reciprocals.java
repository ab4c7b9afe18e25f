package gilmok.event;

import java.math.BigInteger;

/**
 * Divides whole numbers by powers of ten, to the nearest double, without allocating: the algorithm
 * of Lemire, "Number parsing at a gigabyte per second" (after Eisel), for the powers for which 128
 * bits decide every case. It multiplies by 1/5^n; the table holds the first 128 bits of that,
 * rounded up. The powers of two only move the exponent.
 *
 * <p>Immutable.
 */
final class Reciprocals {
  static final int POWER_MAX = 27;

  private static final int EXTRA_BITS = 64 - 52 - 3;
  private static final long UNDECIDED = -1L >>> (52 + 3);
  private static final int EXPONENT_BIAS = 1023;

  private final long[] highs = new long[POWER_MAX + 1];
  private final long[] lows = new long[POWER_MAX + 1];

  Reciprocals() {
    for (int power = 0; power <= POWER_MAX; power++) {
      BigInteger five = BigInteger.valueOf(5).pow(power);
      int bits = five.subtract(BigInteger.ONE).bitLength();
      BigInteger reciprocal =
          power == 0
              ? BigInteger.ONE.shiftLeft(127)
              : BigInteger.ONE.shiftLeft(bits + 127).divide(five).add(BigInteger.ONE);
      highs[power] = reciprocal.shiftRight(64).longValue();
      lows[power] = reciprocal.longValue();
    }
  }

  /**
   * The double nearest to {@code mantissa / 10^power}.
   *
   * @param mantissa above 0
   * @param power 0 to {@link #POWER_MAX}
   */
  double nearest(long mantissa, int power) {
    int zeros = Long.numberOfLeadingZeros(mantissa);
    long shifted = mantissa << zeros;
    long high = Math.unsignedMultiplyHigh(shifted, highs[power]);
    long low = shifted * highs[power];
    if ((high & UNDECIDED) == UNDECIDED) {
      long carry = Math.unsignedMultiplyHigh(shifted, lows[power]);
      low += carry;
      if (Long.compareUnsigned(low, carry) < 0) {
        high++;
      }
    }
    int upper = (int) (high >>> 63);
    long digits = high >>> (upper + EXTRA_BITS);
    int exponent = ((-217_706 * power) >> 16) + 63 + upper - zeros + EXPONENT_BIAS;
    boolean halfway =
        Long.compareUnsigned(low, 1) <= 0
            && power <= 4
            && (digits & 3) == 1
            && digits << (upper + EXTRA_BITS) == high;
    if (halfway) {
      digits &= ~1L; // to even
    }
    digits = (digits + (digits & 1)) >>> 1;
    if (digits >= 1L << 53) {
      digits >>>= 1;
      exponent++;
    }
    return Double.longBitsToDouble(((long) exponent << 52) | (digits & ((1L << 52) - 1)));
  }
}
