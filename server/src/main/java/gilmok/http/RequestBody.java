package gilmok.http;

import gilmok.compress.ContentCoding;
import gilmok.compress.Decompressor;
import io.netty.buffer.ByteBuf;

/**
 * The bytes of one request's body. A body that came in one piece stays where it is; more pieces are
 * copied together. Belongs to the connection's event loop.
 */
final class RequestBody {
  private static final byte[] NO_BYTES = {};

  private byte[] bytes = NO_BYTES;
  private int offset;
  private int length;
  private boolean isOurs;

  byte[] bytes() {
    return bytes;
  }

  int offset() {
    return offset;
  }

  int length() {
    return length;
  }

  /**
   * Adds a piece.
   *
   * @param declared how long the body will be, or less than 0
   * @param bytesMax how long it can become; the caller sees to that
   */
  void add(ByteBuf piece, long declared, int bytesMax) {
    int added = piece.readableBytes();
    if (length == 0 && piece.hasArray()) {
      bytes = piece.array();
      offset = piece.arrayOffset() + piece.readerIndex();
      length = added;
      isOurs = false;
      return;
    }
    int total = length + added;
    if (!isOurs || total > bytes.length) {
      grow(total, declared, bytesMax);
    }
    piece.getBytes(piece.readerIndex(), bytes, length, added);
    length = total;
  }

  /** Who declares much and sends little gets no large array for it. */
  private void grow(int total, long declared, int bytesMax) {
    long likely = declared > 0 && declared <= 8L * total ? declared : 2L * total;
    byte[] larger = new byte[(int) Math.max(total, Math.min(likely, bytesMax))];
    System.arraycopy(bytes, offset, larger, 0, length);
    bytes = larger;
    offset = 0;
    isOurs = true;
  }

  /**
   * Puts the unpacked body in its place, which is the unpacker's array then; leaves it as it is
   * when it cannot be unpacked. What comes back is as from {@link Decompressor#unpack}.
   */
  int unpack(Decompressor decompressor, ContentCoding coding, int bytesMax) {
    int unpacked = decompressor.unpack(coding, bytes, offset, length, bytesMax);
    if (unpacked >= 0) {
      bytes = decompressor.bytes();
      offset = 0;
      length = unpacked;
      isOurs = false;
    }
    return unpacked;
  }

  /** Forgets the bytes. */
  void drop() {
    bytes = NO_BYTES;
    offset = 0;
    length = 0;
    isOurs = false;
  }
}
