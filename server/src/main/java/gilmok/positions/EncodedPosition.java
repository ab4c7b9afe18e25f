package gilmok.positions;

import gilmok.event.LittleEndian;

/**
 * Reads the two fields of an encoded event that have fixed places, without looking at the others:
 * after kind and bitmap the rider's id, then the time of the fix. The event must be sound.
 */
final class EncodedPosition {
  private static final int RIDER = 3;

  private EncodedPosition() {}

  /** Where the rider's id begins, in an event that begins at {@code event}. */
  static int riderOffset(byte[] bytes, int event) {
    int p = event + RIDER;
    while (bytes[p] < 0) {
      p++;
    }
    return p + 1;
  }

  static int riderLength(byte[] bytes, int event) {
    int length = 0;
    int shift = 0;
    int p = event + RIDER;
    while (bytes[p] < 0) {
      length |= (bytes[p++] & 0x7f) << shift;
      shift += 7;
    }
    return length | (bytes[p] << shift);
  }

  /** The time of the fix, epoch ms. */
  static long at(byte[] bytes, int event) {
    return LittleEndian.getLong(bytes, riderOffset(bytes, event) + riderLength(bytes, event));
  }
}
