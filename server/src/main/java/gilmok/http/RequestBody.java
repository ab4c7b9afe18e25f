package gilmok.http;

import gilmok.compress.ContentCoding;
import gilmok.compress.Decompressor;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one request's body, and the room they take: of the whole limit, and, while more is
 * to come, of the sender's quota. A body that arrives in one piece is used in place; several pieces
 * are copied into one array. Belongs to the connection's event loop.
 */
final class RequestBody {
  private static final byte[] NO_BYTES = {};

  private byte[] bytes = NO_BYTES;
  private int offset;
  private int length;
  private boolean isOurs;
  private final AdmissionLimit limit;
  private long heldBytes;

  /** The caller whose quota holds {@link #sharedBytes}; null while none is used. */
  private BodyQuotas.@Nullable Caller sharer;

  private long sharedBytes;
  private @Nullable String fault;
  private boolean isCut;

  /** The body before it was decompressed; null when it was not. */
  private byte @Nullable [] raw;

  private int rawOffset;
  private int rawLength;

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

  /** Why the body is incomplete or still compressed; null when it is neither. */
  @Nullable String fault() {
    return fault;
  }

  /** Whether only its beginning is there. */
  boolean isCut() {
    return isCut;
  }

  /** Notes that only its beginning is there, and why. */
  void cut(String reason) {
    isCut = true;
    fault(reason);
  }

  /** Notes why the body is incomplete or still compressed; the first reason is kept. */
  void fault(String reason) {
    fault = fault == null ? reason : fault;
  }

  /**
   * Takes room from the sender's quota for a body of that many bytes so far; false when the quota
   * is reached.
   */
  boolean share(HttpRequest request, int total) {
    BodyQuotas.Caller caller = sharer;
    if (caller == null) {
      caller = limit.shares.caller(request.asker(), request.clientAddress());
      sharer = caller;
    }
    if (!limit.shares.more(caller, total - sharedBytes, total)) {
      return false;
    }
    sharedBytes = total;
    return true;
  }

  /**
   * Takes room from the whole limit for a body of that many bytes so far; false when the limit is
   * reached.
   */
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
   * @param bytesMax the longest body; the caller has checked it
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

  /** Enlarges the array. A client that declares much and sends little gets no large one. */
  private void grow(int total, long declared, int bytesMax) {
    long likely = declared > 0 && declared <= 8L * total ? declared : 2L * total;
    byte[] larger = new byte[(int) Math.max(total, Math.min(likely, bytesMax))];
    System.arraycopy(bytes, offset, larger, 0, length);
    bytes = larger;
    offset = 0;
    isOurs = true;
  }

  /**
   * Decompresses the body and replaces it with the result, in the decompressor's array; a body that
   * cannot be decompressed is left unchanged. Returns the same as {@link Decompressor#unpack}.
   */
  int unpack(Decompressor decompressor, ContentCoding coding, int bytesMax) {
    int unpacked = decompressor.unpack(coding, bytes, offset, length, bytesMax);
    if (unpacked >= 0) {
      raw = bytes;
      rawOffset = offset;
      rawLength = length;
      bytes = decompressor.bytes();
      offset = 0;
      length = unpacked;
      isOurs = false;
    }
    return unpacked;
  }

  /** A copy of the body as it was sent. */
  byte[] rawCopy() {
    return raw == null
        ? Arrays.copyOfRange(bytes, offset, offset + length)
        : Arrays.copyOfRange(raw, rawOffset, rawOffset + rawLength);
  }

  /** Whether it is white space or an empty JSON object. */
  boolean saysNothing() {
    boolean isObject = length == 2 && bytes[offset] == '{' && bytes[offset + 1] == '}';
    for (int i = offset; i < offset + length && !isObject; i++) {
      if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r' && bytes[i] != '\n') {
        return false;
      }
    }
    return true;
  }

  /** Forgets the bytes. */
  void drop() {
    bytes = NO_BYTES;
    raw = null;
    offset = 0;
    length = 0;
    isOurs = false;
  }
}
