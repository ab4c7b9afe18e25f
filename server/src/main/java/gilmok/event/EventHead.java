package gilmok.event;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The head of an encoded position, action or log line: whose it is, and whether it has a place. For
 * who looks at every record and needs no more; nothing is checked but the bounds of array or
 * buffer.
 *
 * <p>In a buffer the head is one {@code long}, the first eight bytes: kind, bitmap, the length of
 * the rider's id, and the beginning of that. Every event has more bytes than that.
 */
public final class EventHead {
  /** The room for the longest id of a rider. */
  public static final int RIDER_ROOM = (int) EventField.RIDER_ID.max() + Long.BYTES;

  private static final int BITMAP_AT = 1;
  private static final int RIDER_AT = 3;
  private static final int LENGTH_BIT = 32;
  private static final int BITMAP_BIT = 48;

  private EventHead() {}

  /** Whether the event that begins there has a latitude and a longitude. */
  public static boolean hasPlace(byte[] bytes, int offset) {
    return (bytes[offset + BITMAP_AT] & EventField.LAT.bit()) != 0;
  }

  /** Where the rider's id begins. */
  public static int riderOffset(byte[] bytes, int offset) {
    return offset + RIDER_AT + (bytes[offset + RIDER_AT] < 0 ? 2 : 1);
  }

  /** How many bytes of UTF-8 the rider's id has. */
  public static int riderLength(byte[] bytes, int offset) {
    byte low = bytes[offset + RIDER_AT];
    return low < 0 ? (low & 0x7f) | (bytes[offset + RIDER_AT + 1] << 7) : low;
  }

  /** Whether two events are of one rider. */
  public static boolean isSameRider(byte[] bytes, int offset, int other) {
    int length = riderLength(bytes, offset);
    int from = riderOffset(bytes, offset);
    int otherFrom = riderOffset(bytes, other);
    return length == riderLength(bytes, other)
        && Arrays.equals(bytes, from, from + length, bytes, otherFrom, otherFrom + length);
  }

  /** The head of the event that begins there, in a big-endian buffer. */
  public static long of(ByteBuffer bytes, int offset) {
    return bytes.getLong(offset);
  }

  /** Whether an event with this head has a latitude and a longitude. */
  public static boolean hasPlace(long head) {
    return (head >>> BITMAP_BIT & EventField.LAT.bit()) != 0;
  }

  /** Where the rider's id begins. */
  public static int riderOffset(long head, int offset) {
    return offset + RIDER_AT + (isLong(head) ? 2 : 1);
  }

  /**
   * How many bytes of UTF-8 the rider's id has: only the longest takes two bytes for its length.
   */
  public static int riderLength(long head) {
    return isLong(head) ? (int) EventField.RIDER_ID.max() : (int) (head >>> LENGTH_BIT) & 0x7f;
  }

  private static boolean isLong(long head) {
    return (head >>> LENGTH_BIT & 0x80) != 0;
  }

  /**
   * Copies a rider's id to the beginning of an array, and up to seven bytes more of what is behind
   * it.
   *
   * @param into of {@link #RIDER_ROOM} bytes
   */
  public static void copyRider(ByteBuffer bytes, int id, int length, byte[] into) {
    for (int i = 0; i < length; i += Long.BYTES) {
      LittleEndian.putLong(into, i, Long.reverseBytes(bytes.getLong(id + i)));
    }
  }

  /**
   * Whether the ids at two places of a buffer are the same; a time of eight bytes is behind each.
   */
  public static boolean isSame(ByteBuffer bytes, int id, int other, int length) {
    if (length < Long.BYTES) {
      int unused = Long.SIZE - Byte.SIZE * length;
      return (bytes.getLong(id) ^ bytes.getLong(other)) >>> unused == 0;
    }
    for (int i = 0; i < length - Long.BYTES; i += Long.BYTES) {
      if (bytes.getLong(id + i) != bytes.getLong(other + i)) {
        return false;
      }
    }
    int last = length - Long.BYTES;
    return bytes.getLong(id + last) == bytes.getLong(other + last);
  }
}
