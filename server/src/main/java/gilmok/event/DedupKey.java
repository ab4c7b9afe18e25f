package gilmok.event;

import java.util.Arrays;

/**
 * The 128-bit key by which a repeated event is recognised: SipHash-1-3 under a secret of the node,
 * so that no caller can make two events collide. It covers the stream, the rider (none in a {@link
 * JsonRecord}) and the event's {@code id}. Without an id, it covers the stream and all encoded
 * bytes, except for a trace ({@link TracedEvent}).
 *
 * <p>SipHash with 128 bits of output, after Aumasson and Bernstein's reference. The hashed bytes
 * start with one word: the stream in its lowest byte, then 1 and the rider's length where there is
 * an id, else 0. So two kinds of key never hash the same bytes.
 *
 * <p>Not thread-safe: reused by the thread that hashes.
 */
public final class DedupKey {
  /** The length of a secret. */
  public static final int SECRET_BYTES = 16;

  private static final int PRESENT = 1;

  private final long secretLow;
  private final long secretHigh;
  private final int rounds;
  private final int lastRounds;
  private final EventView view = new EventView();
  private final TracedEvent traced = new TracedEvent();
  private byte[] named = new byte[256];
  private long high;
  private long low;

  /** A hash under a secret of 16 bytes. */
  public DedupKey(byte[] secret) {
    this(secret, 1, 3);
  }

  DedupKey(byte[] secret, int rounds, int lastRounds) {
    if (secret.length != SECRET_BYTES) {
      throw new IllegalArgumentException("a secret of " + secret.length + " bytes");
    }
    secretLow = LittleEndian.getLong(secret, 0);
    secretHigh = LittleEndian.getLong(secret, 8);
    this.rounds = rounds;
    this.lastRounds = lastRounds;
  }

  /**
   * Computes the key of an encoded event.
   *
   * @param stream the code of its stream
   */
  public void hash(int stream, byte[] bytes, int offset, int length) {
    byte kind = length > 2 ? bytes[offset] : (byte) EventKind.QUARANTINED.code();
    boolean isJson =
        kind == (byte) EventKind.DELIVERY.code() || kind == (byte) EventKind.AUDIT.code();
    boolean hasBitmap = !isJson && kind != (byte) EventKind.QUARANTINED.code();
    int bitmap = hasBitmap ? LittleEndian.getShort(bytes, offset + PRESENT) : 0;
    if (!isJson && (bitmap & EventField.ID.bit()) == 0) {
      if ((bitmap & EventField.ATTRIBUTES.bit()) != 0 && TracedEvent.has(bytes, offset, length)) {
        traced.remove(bytes, offset, length);
        sip(true, stream & 0xff, traced.bytes(), 0, traced.size());
      } else {
        sip(true, stream & 0xff, bytes, offset, length);
      }
      return;
    }
    view.wrap(bytes, offset, length);
    int riderLength = isJson ? 0 : view.length(EventField.RIDER_ID);
    int size = riderLength + view.length(EventField.ID);
    if (size > named.length) {
      named = Arrays.copyOf(named, size);
    }
    if (!isJson) {
      System.arraycopy(bytes, view.offset(EventField.RIDER_ID), named, 0, riderLength);
    }
    System.arraycopy(bytes, view.offset(EventField.ID), named, riderLength, size - riderLength);
    sip(true, (stream & 0xff) | (1L << 8) | ((long) riderLength << 16), named, 0, size);
  }

  /** The first 64 bits of the key. */
  public long high() {
    return high;
  }

  /** The other 64 bits of the key. */
  public long low() {
    return low;
  }

  /** Computes the hash of any bytes, without the leading word. */
  public void hash(byte[] bytes, int offset, int length) {
    sip(false, 0, bytes, offset, length);
  }

  private void sip(boolean hasHead, long head, byte[] bytes, int offset, int length) {
    long v0 = secretLow ^ 0x736f6d6570736575L;
    long v1 = secretHigh ^ 0x646f72616e646f6dL ^ 0xee;
    long v2 = secretLow ^ 0x6c7967656e657261L;
    long v3 = secretHigh ^ 0x7465646279746573L;
    int words = length >>> 3;
    for (int i = hasHead ? -1 : 0; i <= words; i++) {
      long word =
          i < 0
              ? head
              : i < words
                  ? LittleEndian.getLong(bytes, offset + 8 * i)
                  : last(bytes, offset, length, hasHead ? length + 8 : length);
      v3 ^= word;
      for (int round = 0; round < rounds; round++) {
        v0 += v1;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v3;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 += v3;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 += v1;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v2 = Long.rotateLeft(v2, 32);
      }
      v0 ^= word;
    }
    v2 ^= 0xee;
    for (int half = 0; half < 2; half++) {
      for (int round = 0; round < lastRounds; round++) {
        v0 += v1;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v3;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 += v3;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 += v1;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v2 = Long.rotateLeft(v2, 32);
      }
      high = low;
      low = v0 ^ v1 ^ v2 ^ v3;
      v1 ^= 0xdd;
    }
  }

  /** The bytes after the last whole word, with the total length in the highest byte. */
  private static long last(byte[] bytes, int offset, int length, int total) {
    long word = (long) total << 56;
    for (int i = length & ~7; i < length; i++) {
      word |= (bytes[offset + i] & 0xffL) << (8 * (i & 7));
    }
    return word;
  }
}
