package gilmok.redis;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The values of a large reply, one after the other, with all their bytes in one array: so thousands
 * of values cost no object each. An array is a value, too; its elements follow it. It is filled
 * again by each call that it is given to.
 *
 * <p>Not thread-safe: it belongs to the call until that is answered, then to the caller.
 */
public final class FlatReply {
  private static final int NOTHING = -1;
  private static final int TOO_LONG = -2;

  /** An array of n elements has the length {@code FIRST_ARRAY - n}. */
  private static final int FIRST_ARRAY = -3;

  /** What is kept for the next reply. */
  private static final int KEPT_BYTES_MAX = 1 << 20;

  private final int valueBytesMax;
  private byte[] bytes = new byte[1 << 14];
  private int size;
  private int[] offsets = new int[1 << 10];
  private int[] lengths = new int[1 << 10];
  private int count;

  /**
   * Without values.
   *
   * @param valueBytesMax longer values are not kept: {@link #isTooLong}
   */
  public FlatReply(int valueBytesMax) {
    this.valueBytesMax = valueBytesMax;
  }

  void clear() {
    if (bytes.length > KEPT_BYTES_MAX) {
      bytes = new byte[1 << 14];
    }
    size = 0;
    count = 0;
  }

  void add(ByteBuffer value) {
    int length = value.remaining();
    if (length > valueBytesMax) {
      add(size, TOO_LONG);
      return;
    }
    if (size + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + length, 2 * bytes.length));
    }
    value.get(bytes, size, length);
    add(size, length);
    size += length;
  }

  void addNothing() {
    add(size, NOTHING);
  }

  void addArray(int elements) {
    add(size, FIRST_ARRAY - elements);
  }

  private void add(int offset, int length) {
    if (count == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
    }
    offsets[count] = offset;
    lengths[count] = length;
    count++;
  }

  /** How many values there are, arrays and their elements. */
  public int count() {
    return count;
  }

  /** The array that holds the bytes of all values. */
  public byte[] bytes() {
    return bytes;
  }

  /** Whether value {@code i} is a string of bytes, or a number in digits, that was kept. */
  public boolean isBytes(int i) {
    return i < count && lengths[i] >= 0;
  }

  /** Whether value {@code i} is a string of too many bytes. */
  public boolean isTooLong(int i) {
    return i < count && lengths[i] == TOO_LONG;
  }

  /** How many elements value {@code i} has; -1 if it is no array. */
  public int elements(int i) {
    return i < count && lengths[i] <= FIRST_ARRAY ? FIRST_ARRAY - lengths[i] : -1;
  }

  /** Where in {@link #bytes} a string of bytes begins. */
  public int offset(int i) {
    return offsets[i];
  }

  /** How many bytes a string of bytes has. */
  public int length(int i) {
    return lengths[i];
  }

  /** Whether value {@code i} is a string of these bytes. */
  public boolean is(int i, byte[] text) {
    return isBytes(i)
        && lengths[i] == text.length
        && Arrays.equals(bytes, offsets[i], offsets[i] + text.length, text, 0, text.length);
  }

  /** The index after value {@code i} and, if it is an array, after all that is in it. */
  public int after(int i) {
    int left = 1;
    int next = i;
    for (; left > 0 && next < count; next++) {
      left += Math.max(0, elements(next)) - 1;
    }
    return next;
  }
}
