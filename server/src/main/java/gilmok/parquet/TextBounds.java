package gilmok.parquet;

import java.util.Arrays;

/**
 * The least and the greatest of some texts, in the order of their UTF-8 bytes, which is that of
 * their code points.
 *
 * <p>Not thread-safe.
 */
final class TextBounds {
  private static final byte[] NONE = {};

  private final int bytesMax;
  private byte[] min = NONE;
  private byte[] max = NONE;
  private boolean isEmpty = true;
  private boolean isTooLong;

  TextBounds(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  void clear() {
    min = NONE;
    max = NONE;
    isEmpty = true;
    isTooLong = false;
  }

  void add(byte[] utf8, int offset, int length) {
    if (length > bytesMax) {
      isTooLong = true;
      return;
    }
    int end = offset + length;
    if (isEmpty || Arrays.compareUnsigned(utf8, offset, end, min, 0, min.length) < 0) {
      min = Arrays.copyOfRange(utf8, offset, end);
    }
    if (isEmpty || Arrays.compareUnsigned(utf8, offset, end, max, 0, max.length) > 0) {
      max = Arrays.copyOfRange(utf8, offset, end);
    }
    isEmpty = false;
  }

  boolean areKnown() {
    return !isEmpty && !isTooLong;
  }

  byte[] min() {
    return min;
  }

  byte[] max() {
    return max;
  }
}
