package gilmok.collect.format;

import gilmok.event.Decimal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A value that belongs to all records of an upload, kept until the next. Not thread-safe. */
final class SharedValue {
  private byte[] bytes = {};
  private int length;
  private boolean isSent;
  private boolean isNumber;
  private @Nullable String fault;

  void clear() {
    isSent = false;
    isNumber = false;
    fault = null;
  }

  /** Keeps a copy, with the zeros that reading a number needs behind it. */
  void keep(byte[] from, int offset, int size, boolean isNumber) {
    if (bytes.length < size + Decimal.REACH) {
      bytes = new byte[2 * (size + Decimal.REACH)];
    }
    System.arraycopy(from, offset, bytes, 0, size);
    Arrays.fill(bytes, size, size + Decimal.REACH, (byte) 0);
    length = size;
    isSent = true;
    this.isNumber = isNumber;
  }

  /** Keeps what was wrong with it. */
  void fault(String why) {
    fault = why;
  }

  @Nullable String fault() {
    return fault;
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  boolean isSent() {
    return isSent;
  }

  boolean isNumber() {
    return isNumber;
  }
}
