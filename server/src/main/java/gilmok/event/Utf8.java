package gilmok.event;

/** UTF-8 as RFC 3629 defines it: nothing overlong, no surrogates, nothing above U+10FFFF. */
public final class Utf8 {
  private Utf8() {}

  /** Whether the bytes from {@code start} to {@code end} are valid. */
  public static boolean isValid(byte[] bytes, int start, int end) {
    int p = start;
    while (p < end) {
      int length = bytes[p] >= 0 ? 1 : sequence(bytes, p, end);
      if (length == 0) {
        return false;
      }
      p += length;
    }
    return true;
  }

  /** The length of the multi-byte sequence at {@code p}; 0 if it is invalid. */
  private static int sequence(byte[] bytes, int p, int end) {
    int first = bytes[p] & 0xff;
    int length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || p + length > end) {
      return 0;
    }
    for (int i = 1; i < length; i++) {
      if ((bytes[p + i] & 0xc0) != 0x80) {
        return 0;
      }
    }
    int second = bytes[p + 1] & 0xff;
    boolean wrong =
        (first == 0xe0 && second < 0xa0)
            || (first == 0xed && second > 0x9f)
            || (first == 0xf0 && second < 0x90)
            || (first == 0xf4 && second > 0x8f);
    return wrong ? 0 : length;
  }

  /** The number of code points in valid UTF-8. */
  static int count(byte[] bytes, int start, int end) {
    int count = 0;
    for (int p = start; p < end; p++) {
      if ((bytes[p] & 0xc0) != 0x80) {
        count++;
      }
    }
    return count;
  }

  /** Whether valid UTF-8 contains a control character: C0, DEL or C1. */
  static boolean hasControl(byte[] bytes, int start, int end) {
    for (int p = start; p < end; p++) {
      int b = bytes[p] & 0xff;
      if (b < 0x20 || b == 0x7f || (b == 0xc2 && (bytes[p + 1] & 0xff) < 0xa0)) {
        return true;
      }
    }
    return false;
  }

  /** Writes a code point, which must be no surrogate; returns where it ends. */
  public static int write(byte[] target, int offset, int codePoint) {
    int p = offset;
    if (codePoint < 0x80) {
      target[p++] = (byte) codePoint;
    } else if (codePoint < 0x800) {
      target[p++] = (byte) (0xc0 | (codePoint >> 6));
      target[p++] = (byte) (0x80 | (codePoint & 0x3f));
    } else if (codePoint < 0x10000) {
      target[p++] = (byte) (0xe0 | (codePoint >> 12));
      target[p++] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
      target[p++] = (byte) (0x80 | (codePoint & 0x3f));
    } else {
      target[p++] = (byte) (0xf0 | (codePoint >> 18));
      target[p++] = (byte) (0x80 | ((codePoint >> 12) & 0x3f));
      target[p++] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
      target[p++] = (byte) (0x80 | (codePoint & 0x3f));
    }
    return p;
  }
}
