package gilmok.lab.missions;

import io.netty.buffer.ByteBuf;

/**
 * One HTTP/1.1 response as it comes in, of which the head is read and the body's bytes are counted
 * and let go, not looked at. Used again for the next. It allocates nothing. Not thread-safe: owned
 * by one connection.
 */
final class Response {
  private static final int HEAD_BYTES_MAX = 2048;
  private static final int NOT_MODIFIED = 304;
  private static final int NO_CONTENT = 204;
  private static final String LENGTH = "content-length:";
  private static final String CODING = "content-encoding:";

  private final byte[] head = new byte[HEAD_BYTES_MAX];
  private int headBytes;
  private boolean isBody;
  private int status;
  private long bodyBytes;
  private long left;
  private boolean isPacked;
  private boolean isBroken;

  /**
   * Takes bytes in, up to the response's end.
   *
   * @return whether it is whole now; or broken, and nothing more is to be read
   */
  boolean take(ByteBuf in) {
    if (!isBody && !takeHead(in)) {
      return isBroken;
    }
    int now = (int) Math.min(left, in.readableBytes());
    in.skipBytes(now);
    left -= now;
    return left == 0;
  }

  private boolean takeHead(ByteBuf in) {
    int before = headBytes;
    int count = Math.min(in.readableBytes(), HEAD_BYTES_MAX - before);
    in.getBytes(in.readerIndex(), head, before, count);
    headBytes += count;
    int end = end(Math.max(0, before - 3));
    if (end < 0) {
      in.skipBytes(count);
      isBroken = headBytes == HEAD_BYTES_MAX;
      return false;
    }
    in.skipBytes(end - before);
    headBytes = end;
    read();
    isBody = true;
    return !isBroken;
  }

  private int end(int from) {
    for (int i = from; i + 3 < headBytes; i++) {
      if (head[i] == '\r' && head[i + 1] == '\n' && head[i + 2] == '\r' && head[i + 3] == '\n') {
        return i + 4;
      }
    }
    return -1;
  }

  private void read() {
    status = number(9);
    long length = -1;
    isPacked = false;
    for (int i = 0; i < headBytes; i++) {
      if (head[i] == '\n' && (head[Math.min(i + 1, headBytes - 1)] | 0x20) == 'c') {
        if (begins(i + 1, LENGTH)) {
          length = number(i + 1 + LENGTH.length());
        } else if (begins(i + 1, CODING)) {
          isPacked = true;
        }
      }
    }
    boolean isBare = status == NOT_MODIFIED || status == NO_CONTENT;
    isBroken = head[0] != 'H' || (length < 0 && !isBare);
    bodyBytes = isBare ? 0 : Math.max(0, length);
    left = bodyBytes;
  }

  private boolean begins(int from, String name) {
    if (from + name.length() > headBytes) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      int letter = head[from + i];
      int small = letter >= 'A' && letter <= 'Z' ? letter | 0x20 : letter;
      if (small != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private int number(int from) {
    int i = from;
    while (i < headBytes && head[i] == ' ') {
      i++;
    }
    int value = 0;
    int first = i;
    while (i < headBytes && head[i] >= '0' && head[i] <= '9' && i - first < 9) {
      value = 10 * value + head[i++] - '0';
    }
    return i == first ? -1 : value;
  }

  /** Ready for the next. */
  void clear() {
    headBytes = 0;
    isBody = false;
    isBroken = false;
    left = 0;
  }

  boolean isBroken() {
    return isBroken;
  }

  int status() {
    return status;
  }

  /** How long the body is, as it came. */
  long bodyBytes() {
    return bodyBytes;
  }

  /** Whether the body has a coding. */
  boolean isPacked() {
    return isPacked;
  }
}
