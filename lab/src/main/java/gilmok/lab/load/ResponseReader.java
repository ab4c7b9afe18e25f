package gilmok.lab.load;

import java.nio.charset.StandardCharsets;

/**
 * Reads one HTTP/1.1 response with a {@code Content-Length} out of bytes, and from its body the
 * numbers {@code accepted} and {@code duplicates}. It allocates nothing. Not thread-safe: owned by
 * one lane.
 */
final class ResponseReader {
  /** The response is not complete yet. */
  static final int INCOMPLETE = 0;

  /** These bytes are no response this reader knows. */
  static final int BROKEN = -1;

  /** What a number reads when the body does not have it. */
  static final int ABSENT = -1;

  private static final byte[] CONTENT_LENGTH =
      "content-length:".getBytes(StandardCharsets.ISO_8859_1);
  private static final byte[] ACCEPTED = "\"accepted\":".getBytes(StandardCharsets.ISO_8859_1);
  private static final byte[] DUPLICATES = "\"duplicates\":".getBytes(StandardCharsets.ISO_8859_1);
  private static final int HEAD_BYTES_MIN = 12;

  private int status;
  private int accepted;
  private int duplicates;

  /**
   * Reads the response that starts at an offset.
   *
   * @return its length in bytes, or {@link #INCOMPLETE} or {@link #BROKEN}
   */
  int read(byte[] bytes, int offset, int end) {
    if (end - offset < HEAD_BYTES_MIN) {
      return INCOMPLETE;
    }
    if (bytes[offset] != 'H' || bytes[offset + 5] != '1' || bytes[offset + 7] != '1') {
      return BROKEN;
    }
    status = number(bytes, offset + 9, offset + 12);
    int contentLength = -1;
    int line = lineAfter(bytes, offset, end);
    while (line < end && bytes[line] != '\r') {
      if ((bytes[line] | 0x20) == 'c' && startsWith(bytes, line, end)) {
        contentLength = number(bytes, line + CONTENT_LENGTH.length, end);
      }
      line = lineAfter(bytes, line, end);
    }
    if (line + 2 > end) {
      return INCOMPLETE;
    }
    if (contentLength < 0) {
      return BROKEN;
    }
    int body = line + 2;
    if (end - body < contentLength) {
      return INCOMPLETE;
    }
    int bodyEnd = body + contentLength;
    accepted = numberAfter(ACCEPTED, bytes, body, bodyEnd);
    duplicates = numberAfter(DUPLICATES, bytes, body, bodyEnd);
    return bodyEnd - offset;
  }

  /** The last read response's status. */
  int status() {
    return status;
  }

  /** The last read response's {@code accepted}, or {@link #ABSENT}. */
  int accepted() {
    return accepted;
  }

  /** The last read response's {@code duplicates}, or {@link #ABSENT}. */
  int duplicates() {
    return duplicates;
  }

  private static int lineAfter(byte[] bytes, int from, int end) {
    for (int i = from; i < end; i++) {
      if (bytes[i] == '\n') {
        return i + 1;
      }
    }
    return end;
  }

  private static boolean startsWith(byte[] bytes, int from, int end) {
    if (end - from < CONTENT_LENGTH.length) {
      return false;
    }
    for (int i = 0; i < CONTENT_LENGTH.length; i++) {
      int letter = bytes[from + i];
      int small = letter >= 'A' && letter <= 'Z' ? letter | 0x20 : letter;
      if (small != CONTENT_LENGTH[i]) {
        return false;
      }
    }
    return true;
  }

  private static int numberAfter(byte[] mark, byte[] bytes, int from, int end) {
    int last = end - mark.length;
    for (int i = from; i < last; i++) {
      // The letter after the quote tells the two marks apart from nearly everything else.
      if (bytes[i + 1] == mark[1] && matches(mark, bytes, i)) {
        return number(bytes, i + mark.length, end);
      }
    }
    return ABSENT;
  }

  private static boolean matches(byte[] mark, byte[] bytes, int at) {
    for (int i = 0; i < mark.length; i++) {
      if (bytes[at + i] != mark[i]) {
        return false;
      }
    }
    return true;
  }

  private static int number(byte[] bytes, int from, int end) {
    int i = from;
    while (i < end && bytes[i] == ' ') {
      i++;
    }
    int value = 0;
    int first = i;
    while (i < end && bytes[i] >= '0' && bytes[i] <= '9' && i - first < 9) {
      value = value * 10 + (bytes[i] - '0');
      i++;
    }
    return i == first ? -1 : value;
  }
}
