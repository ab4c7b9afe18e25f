package gilmok.lab.load;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A reply of Redis, of any type. Its status is 200, or 500 for an error. */
final class RedisResponse extends Response {
  private static final int INCOMPLETE = 0;
  private static final int ERROR = -1;

  private byte[] bytes = new byte[1 << 16];
  private int end;
  private boolean isError;

  @Override
  boolean take(ByteBuf in) {
    int count = in.readableBytes();
    if (end + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * (end + count));
    }
    in.readBytes(bytes, end, count);
    end += count;
    int next = skip(0);
    isError = next == ERROR;
    return next != INCOMPLETE;
  }

  /** The end of the value that begins at an offset. */
  private int skip(int from) {
    int line = from;
    while (line < end && bytes[line] != '\n') {
      line++;
    }
    if (line >= end) {
      return INCOMPLETE;
    }
    int next = line + 1;
    switch (bytes[from]) {
      case '$' -> next += size(from + 1) + 2;
      case '*' -> {
        for (int i = size(from + 1); i > 0 && next > 0; i--) {
          next = next < end ? skip(next) : INCOMPLETE;
        }
      }
      case '-' -> next = ERROR;
      default -> {
        // A value that is a single line.
      }
    }
    return next <= end ? next : INCOMPLETE;
  }

  private int size(int from) {
    int value = 0;
    for (int i = from; bytes[i] >= '0' && bytes[i] <= '9'; i++) {
      value = 10 * value + bytes[i] - '0';
    }
    return value;
  }

  @Override
  void clear() {
    end = 0;
  }

  @Override
  public int status() {
    return isError ? 500 : 200;
  }

  @Override
  public String toString() {
    return new String(bytes, 0, Math.min(end, 400), StandardCharsets.UTF_8);
  }
}
