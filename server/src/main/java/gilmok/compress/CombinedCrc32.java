package gilmok.compress;

import java.util.zip.CRC32;

/**
 * Combines CRC-32s: the CRC of two byte strings, one behind the other, from the CRC of each,
 * without reading the bytes again. Pure functions.
 *
 * <p>A CRC is a polynomial modulo another one, P, with coefficients of one bit. Appending n bytes
 * multiplies its polynomial by x^(8n), so {@code crc(AB) = crc(A) · x^(8n) mod P xor crc(B)}; the
 * ones that CRC-32 begins and ends with cancel out. The factor x^(8n) depends on the length alone.
 * It is computed once for each byte string, by squaring. This is zlib's {@code crc32_combine_op}
 * (Mark Adler, zlib 1.2.12, crc32.c). Bits are reflected: the highest bit is the coefficient of
 * x^0.
 */
final class CombinedCrc32 {
  private static final int POLYNOMIAL = 0xEDB88320;
  private static final int ONE = 0x80000000;

  /** x^(8·2^k) mod P, for each bit k of a length. */
  private static final int[] POWERS = powers();

  private CombinedCrc32() {}

  /** The CRC of bytes. */
  static int of(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /** The factor for a CRC when that number of bytes follows. */
  static int shift(long bytes) {
    int product = ONE;
    int k = 0;
    for (long rest = bytes; rest != 0; rest >>>= 1) {
      if ((rest & 1) != 0) {
        product = times(POWERS[k], product);
      }
      k++;
    }
    return product;
  }

  /** The CRC of A and then B. */
  static int join(int crcOfA, int crcOfB, int shiftOfB) {
    return times(crcOfA, shiftOfB) ^ crcOfB;
  }

  /** The product of two polynomials modulo P: of two shifts, the shift by both lengths. */
  static int times(int a, int b) {
    int product = 0;
    int shifted = b;
    for (int bit = 31; bit >= 0; bit--) {
      // Without branches, as the processor cannot predict the bits of a CRC.
      product ^= shifted & -((a >>> bit) & 1);
      shifted = (shifted >>> 1) ^ (POLYNOMIAL & -(shifted & 1));
    }
    return product;
  }

  private static int[] powers() {
    int[] powers = new int[Long.SIZE];
    int power = ONE >>> 8;
    for (int k = 0; k < powers.length; k++) {
      powers[k] = power;
      power = times(power, power);
    }
    return powers;
  }
}
