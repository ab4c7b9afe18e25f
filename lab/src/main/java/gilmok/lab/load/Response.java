package gilmok.lab.load;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 response that is parsed as it arrives, with a length or in chunks. It keeps the head
 * and the beginning of the body; the rest is only counted. One object serves all responses of a
 * connection and allocates nothing. Not thread-safe: owned by one connection.
 */
public class Response {
  private static final int KEPT_BYTES = 2048;
  private static final int SHOWN_BYTES = 400;
  private static final int NOT_MODIFIED = 304;
  private static final int NO_CONTENT = 204;
  private static final byte[] LENGTH = ascii("content-length:");
  private static final byte[] CODING = ascii("content-encoding:");
  private static final byte[] CHUNKED = ascii("transfer-encoding:");
  private static final byte[] LAST_CHUNK = ascii("\r\n0\r\n\r\n");

  private final byte[] kept = new byte[KEPT_BYTES];

  /** The last bytes received of a chunked body. */
  private final byte[] last = new byte[LAST_CHUNK.length];

  private int size;

  /** The offset of the body in the kept bytes; 0 until the head is complete. */
  private int body;

  private int status;
  private long bodyBytes;
  private long left;
  private boolean isPacked;
  private boolean isChunked;
  private boolean isBroken;

  /** A text to search for, as bytes, such as {@code "accepted":}. */
  public static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Reads bytes, up to the end of the response.
   *
   * @return whether the response is complete, or broken, in which case nothing more can be read
   */
  boolean take(ByteBuf in) {
    if (body == 0 && !takeHead(in)) {
      return isBroken;
    }
    int now = (int) Math.min(left, in.readableBytes());
    int kept = Math.min(now, KEPT_BYTES - size);
    in.getBytes(in.readerIndex(), this.kept, size, kept);
    size += kept;
    if (isChunked) {
      return takeChunks(in, now);
    }
    in.skipBytes(now);
    left -= now;
    return left == 0;
  }

  private boolean takeHead(ByteBuf in) {
    int before = size;
    int count = Math.min(in.readableBytes(), KEPT_BYTES - before);
    in.getBytes(in.readerIndex(), kept, before, count);
    size += count;
    int end = end(Math.max(0, before - 3));
    if (end < 0) {
      in.skipBytes(count);
      isBroken = size == KEPT_BYTES || kept[0] != 'H';
      return false;
    }
    in.skipBytes(end - before);
    size = end;
    body = end;
    readHead();
    return !isBroken;
  }

  private int end(int from) {
    for (int i = from; i + 3 < size; i++) {
      if (kept[i] == '\r' && kept[i + 1] == '\n' && kept[i + 2] == '\r' && kept[i + 3] == '\n') {
        return i + 4;
      }
    }
    return -1;
  }

  private void readHead() {
    status = (int) number(9);
    long length = -1;
    for (int i = 0; i < body; i++) {
      if (kept[i] == '\n') {
        int line = i + 1;
        if (begins(line, LENGTH)) {
          length = number(line + LENGTH.length);
        } else if (begins(line, CODING)) {
          isPacked = true;
        } else if (begins(line, CHUNKED)) {
          isChunked = true;
        }
      }
    }
    boolean isBare = status == NOT_MODIFIED || status == NO_CONTENT;
    isChunked &= length < 0 && !isBare;
    isBroken = kept[0] != 'H' || (length < 0 && !isBare && !isChunked);
    bodyBytes = isBare ? 0 : Math.max(0, length);
    left = isChunked ? Long.MAX_VALUE : bodyBytes;
    System.arraycopy(LAST_CHUNK, 0, last, last.length - 2, 2);
  }

  private boolean begins(int from, byte[] name) {
    if (from + name.length > body) {
      return false;
    }
    for (int i = 0; i < name.length; i++) {
      int letter = kept[from + i];
      int small = letter >= 'A' && letter <= 'Z' ? letter | 0x20 : letter;
      if (small != name[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Counts the bytes of a chunked body. No bytes follow a response before the next request, so the
   * response is complete when the received bytes end with the last chunk.
   */
  private boolean takeChunks(ByteBuf in, int now) {
    int end = Math.min(now, last.length);
    System.arraycopy(last, end, last, 0, last.length - end);
    in.getBytes(in.writerIndex() - end, last, last.length - end, end);
    in.skipBytes(now);
    bodyBytes += now;
    return Arrays.equals(last, LAST_CHUNK);
  }

  /** Resets it for the next response. */
  void clear() {
    size = 0;
    body = 0;
    isPacked = false;
    isChunked = false;
    isBroken = false;
    Arrays.fill(last, (byte) 0);
  }

  boolean isBroken() {
    return isBroken;
  }

  /** The status code. */
  public int status() {
    return status;
  }

  /** The length of the body as received. */
  public long bodyBytes() {
    return bodyBytes;
  }

  /** Whether the body has a content coding. */
  public boolean isPacked() {
    return isPacked;
  }

  /** The number behind a text in the beginning of the body; negative if there is none. */
  public long number(byte[] mark) {
    int at = after(mark);
    return at < 0 ? -1 : number(at);
  }

  /**
   * The text behind another in the beginning of the body, up to the next quotation mark; null if
   * there is none.
   */
  public @Nullable String text(byte[] mark) {
    int from = after(mark);
    int end = from;
    while (end >= 0 && end < size && kept[end] != '"') {
      end++;
    }
    return from < 0 ? null : new String(kept, from, end - from, StandardCharsets.US_ASCII);
  }

  private int after(byte[] mark) {
    for (int i = body; i + mark.length < size; i++) {
      // The letter after the quotation mark rules out nearly every other place.
      if (kept[i + 1] == mark[1] && Arrays.equals(kept, i, i + mark.length, mark, 0, mark.length)) {
        return i + mark.length;
      }
    }
    return -1;
  }

  private long number(int from) {
    int i = from;
    while (i < size && kept[i] == ' ') {
      i++;
    }
    long value = 0;
    int first = i;
    while (i < size && kept[i] >= '0' && kept[i] <= '9' && i - first < 9) {
      value = 10 * value + kept[i++] - '0';
    }
    return i == first ? -1 : value;
  }

  /** The beginning of the response. */
  @Override
  public String toString() {
    return new String(kept, 0, Math.min(size, SHOWN_BYTES), StandardCharsets.UTF_8);
  }
}
