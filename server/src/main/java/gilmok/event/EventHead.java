package gilmok.event;

import java.nio.ByteBuffer;

/**
 * The head of an encoded position, action or log line: whose it is, and whether it has a place. For
 * who looks at every record and needs no more; nothing is checked but the bounds of array or
 * buffer.
 */
public final class EventHead {
  private static final int BITMAP_AT = 1;
  private static final int RIDER_AT = 3;

  private EventHead() {}

  /** Whether the event that begins there has a latitude and a longitude. */
  public static boolean hasPlace(ByteBuffer bytes, int offset) {
    return (bytes.get(offset + BITMAP_AT) & EventField.LAT.bit()) != 0;
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

  /** Where the rider's id begins. */
  public static int riderOffset(ByteBuffer bytes, int offset) {
    return offset + RIDER_AT + (bytes.get(offset + RIDER_AT) < 0 ? 2 : 1);
  }

  /** How many bytes of UTF-8 the rider's id has. */
  public static int riderLength(ByteBuffer bytes, int offset) {
    byte low = bytes.get(offset + RIDER_AT);
    return low < 0 ? (low & 0x7f) | (bytes.get(offset + RIDER_AT + 1) << 7) : low;
  }
}
