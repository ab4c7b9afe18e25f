package gilmok.collect.json;

import gilmok.event.LittleEndian;

/** Scans eight bytes at a time; the first is in the lowest bits. */
final class Bytes {
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private Bytes() {}

  static long word(byte[] bytes, int offset) {
    return LittleEndian.getLong(bytes, offset);
  }

  /**
   * Marks, in the high bit of each byte, every byte of a string that is not plain: quotation mark,
   * backslash, control characters, DEL, and non-ASCII. Only the lowest mark is exact.
   */
  static long marks(long word) {
    long quote = word ^ 0x2222222222222222L;
    long backslash = word ^ 0x5c5c5c5c5c5c5c5cL;
    long below = (word - 0x2020202020202020L) & ~word;
    long special = ((quote - ONES) & ~quote) | ((backslash - ONES) & ~backslash);
    return (special | below | word | (word + ONES)) & HIGH_BITS;
  }

  /** How many bytes come before the lowest mark; 8 if there is none. */
  static int before(long marks) {
    return Long.numberOfTrailingZeros(marks) >>> 3;
  }
}
