package gilmok.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Adds to an encoded event the trace of the request that brought it, and takes it out again: the
 * last member of its attributes, {@code "traceparent":"00-…"} (W3C, Trace Context). It is no part
 * of what the event is, so its keys do not cover it: the same event comes again in another trace.
 *
 * <p>Not thread-safe: reused by its thread.
 */
public final class TracedEvent {
  private static final byte[] NAME = "\"traceparent\":\"00-".getBytes(StandardCharsets.US_ASCII);

  /** The member, with the brace behind it. */
  private static final int MEMBER_BYTES = 72;

  private static final int BITMAP_AT = 1;

  /** Attributes this long, or with this many members, are left alone. */
  private static final int BYTES_MAX = Attributes.BYTES_MAX / 2;

  private static final int MEMBERS_MAX = Attributes.MEMBERS_MAX - 4;

  private final EventView view = new EventView();
  private byte[] bytes = new byte[256];
  private int size;

  /** None yet. */
  public TracedEvent() {}

  /** The event that was made last. */
  public byte[] bytes() {
    return bytes;
  }

  /** How many bytes it takes, from 0. */
  public int size() {
    return size;
  }

  /**
   * Makes an event with a trace of a phone's event. False, and nothing is made, when its attributes
   * have one or have no room for it.
   *
   * @param traceparent the header, of version 00
   */
  public boolean add(byte[] event, int offset, int length, byte[] traceparent) {
    view.wrap(event, offset, length);
    boolean hasAttributes = view.has(EventField.ATTRIBUTES);
    int json = hasAttributes ? view.length(EventField.ATTRIBUTES) : 1;
    int from = hasAttributes ? view.offset(EventField.ATTRIBUTES) : 0;
    if (hasAttributes && !hasRoom(event, from, from + json)) {
      return false;
    }
    // What comes before the attributes; then they without their last brace, or the first brace.
    int head = hasAttributes ? from - offset - varintBytes(json) : length;
    begin(event, offset, head, length + MEMBER_BYTES + 8, true);
    int p = LittleEndian.putVarint(bytes, head, json + MEMBER_BYTES);
    if (hasAttributes) {
      System.arraycopy(event, from, bytes, p, json - 1);
      p += json - 1;
      bytes[p++] = ',';
    } else {
      bytes[p++] = '{';
    }
    System.arraycopy(NAME, 0, bytes, p, NAME.length - 3);
    p += NAME.length - 3;
    System.arraycopy(traceparent, 0, bytes, p, traceparent.length);
    p += traceparent.length;
    bytes[p++] = '"';
    bytes[p++] = '}';
    size = p;
    return true;
  }

  private static boolean hasRoom(byte[] event, int from, int to) {
    int members = 0;
    for (int i = from + 1; i < to; i++) {
      members += event[i] == ':' && event[i - 1] == '"' ? 1 : 0;
      if (event[i] == 't' && startsWith(event, i - 1, to, NAME.length - 5)) {
        return false;
      }
    }
    return to - from <= BYTES_MAX && members <= MEMBERS_MAX;
  }

  private static boolean startsWith(byte[] event, int at, int to, int length) {
    return at + length <= to && Arrays.equals(event, at, at + length, NAME, 0, length);
  }

  /** Whether a phone's event with attributes has a trace: they end with one. */
  static boolean has(byte[] event, int offset, int length) {
    int end = offset + length;
    int at = end - MEMBER_BYTES;
    if (at <= offset
        || event[end - 1] != '}'
        || event[end - 2] != '"'
        || !startsWith(event, at, end, NAME.length)) {
      return false;
    }
    for (int i = at + NAME.length; i < end - 2; i++) {
      byte b = event[i];
      if (b != '-' && (b < '0' || b > '9') && (b < 'a' || b > 'f')) {
        return false;
      }
    }
    return true;
  }

  /** Makes the event without its trace of one that {@link #has} one. */
  void remove(byte[] event, int offset, int length) {
    view.wrap(event, offset, length);
    int json = view.length(EventField.ATTRIBUTES);
    int from = view.offset(EventField.ATTRIBUTES);
    int left = json - MEMBER_BYTES;
    int head = from - offset - varintBytes(json);
    // One brace alone: there were no attributes before.
    begin(event, offset, head, length, left > 1);
    size = head;
    if (left > 1) {
      int p = LittleEndian.putVarint(bytes, head, left);
      System.arraycopy(event, from, bytes, p, left - 1);
      p += left - 1;
      bytes[p++] = '}';
      size = p;
    }
  }

  private void begin(byte[] event, int offset, int head, int most, boolean hasAttributes) {
    if (bytes.length < most) {
      bytes = new byte[2 * most];
    }
    System.arraycopy(event, offset, bytes, 0, head);
    int bitmap = LittleEndian.getShort(bytes, BITMAP_AT) & ~EventField.ATTRIBUTES.bit();
    LittleEndian.putShort(
        bytes, BITMAP_AT, bitmap | (hasAttributes ? EventField.ATTRIBUTES.bit() : 0));
  }

  private static int varintBytes(int length) {
    return length < 1 << 7 ? 1 : length < 1 << 14 ? 2 : length < 1 << 21 ? 3 : 4;
  }
}
