package gilmok.http;

import gilmok.compress.ContentCoding;
import gilmok.compress.Decompressor;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one request's body, and the room they take: of all there is, and of its sender's
 * share while more is to come. A body that came in one piece stays where it is; more pieces are
 * copied together. Belongs to the connection's event loop.
 */
final class RequestBody {
  private static final byte[] NO_BYTES = {};

  private byte[] bytes = NO_BYTES;
  private int offset;
  private int length;
  private boolean isOurs;
  private final AdmissionLimit limit;
  private long heldBytes;

  /** Whose share holds {@link #sharedBytes}; null while it is not asked of anybody. */
  private BodyQuotas.@Nullable Caller sharer;

  private long sharedBytes;
  private @Nullable String fault;

  RequestBody(AdmissionLimit limit) {
    this.limit = limit;
  }

  byte[] bytes() {
    return bytes;
  }

  int offset() {
    return offset;
  }

  int length() {
    return length;
  }

  /** Why it is not whole, or still compressed; null when it is as it should be. */
  @Nullable String fault() {
    return fault;
  }

  /** Notes why it is not whole; the first reason stays. */
  void fault(String reason) {
    fault = fault == null ? reason : fault;
  }

  /** Takes room for it until it has that many bytes, of its sender's share; false when full. */
  boolean share(HttpRequest request, Channel channel, int total) {
    BodyQuotas.Caller caller = sharer;
    if (caller == null) {
      String forwardedFor = request.head.getHeader("X-Forwarded-For");
      caller = limit.shares.caller(request.asker, channel.remoteAddress(), forwardedFor);
      sharer = caller;
    }
    if (!limit.shares.more(caller, total - sharedBytes, total)) {
      return false;
    }
    sharedBytes = total;
    return true;
  }

  /** Takes room for it until it has that many bytes, of all there is; false when full. */
  boolean hold(Priority priority, int total) {
    if (!limit.more(priority, total - heldBytes)) {
      return false;
    }
    heldBytes = total;
    return true;
  }

  void leaveShare() {
    BodyQuotas.Caller caller = sharer;
    sharer = null;
    if (caller != null) {
      limit.shares.less(caller, sharedBytes);
      sharedBytes = 0;
    }
  }

  void leaveRoom() {
    leaveShare();
    if (heldBytes > 0) {
      limit.less(heldBytes);
      heldBytes = 0;
    }
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
   * Puts the decompressed body in its place, which is the decompressor's array then; leaves it as
   * it is when it cannot be decompressed. What comes back is as from {@link Decompressor#unpack}.
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
