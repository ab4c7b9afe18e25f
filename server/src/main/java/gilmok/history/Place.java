package gilmok.history;

/**
 * A record's place among those of its rider: when it happened, then its key, by which repeats are
 * recognised. Immutable.
 *
 * @param keyHigh the first half of the key, without a sign
 * @param keyLow its other half
 */
record Place(long atMillis, long keyHigh, long keyLow) implements Comparable<Place> {
  /** How many hexadecimal digits a key is. */
  static final int KEY_CHARS = 32;

  @Override
  public int compareTo(Place other) {
    if (atMillis != other.atMillis) {
      return Long.compare(atMillis, other.atMillis);
    }
    int byHigh = Long.compareUnsigned(keyHigh, other.keyHigh);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(keyLow, other.keyLow);
  }

  /**
   * The place of a record whose key is these 32 hexadecimal digits.
   *
   * @throws NumberFormatException when they are none
   */
  static Place of(long atMillis, byte[] hex, int offset) {
    return new Place(atMillis, half(hex, offset), half(hex, offset + KEY_CHARS / 2));
  }

  private static long half(byte[] hex, int offset) {
    long half = 0;
    for (int i = 0; i < KEY_CHARS / 2; i++) {
      int digit = Character.digit(hex[offset + i], 16);
      if (digit < 0) {
        throw new NumberFormatException("no hexadecimal digits");
      }
      half = half << 4 | digit;
    }
    return half;
  }

  /** The place right before this one. */
  Place before() {
    return keyLow != 0
        ? new Place(atMillis, keyHigh, keyLow - 1)
        : keyHigh != 0 ? new Place(atMillis, keyHigh - 1, -1) : new Place(atMillis - 1, -1, -1);
  }
}
