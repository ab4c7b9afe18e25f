package gilmok.event;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The key by which readers of shipped records drop repeats. A phone's record has the same key on
 * every node, unlike its {@link DedupKey}, whose secret is the node's own. It is the first 128 bits
 * of a SHA-256 over the stream's code, a byte that tells the two cases apart, and the case's bytes:
 * with an id, the rider's length (4 bytes), the rider (none for a delivery) and the {@code id};
 * without an id, all encoded bytes, except for a trace ({@link TracedEvent}).
 *
 * <p>Not thread-safe: reused by the thread that ships.
 */
public final class ShippedRecordKey {
  /** How many characters {@link #write} writes. */
  public static final int CHARS = 32;

  private static final byte[] HEX = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };

  private final MessageDigest sha256 = sha256();
  private final TracedEvent traced = new TracedEvent();
  private final byte[] head = new byte[6];
  private final byte[] digest = new byte[32];

  /** Writes the key of an event as 32 hexadecimal characters. */
  public void write(int stream, EventView event, int offset, int length, JsonBuffer out) {
    hash(stream, event, offset, length);
    for (int i = 0; i < CHARS / 2; i++) {
      out.put((char) HEX[digest[i] >> 4 & 0xf]).put((char) HEX[digest[i] & 0xf]);
    }
  }

  /**
   * The key of an event as 32 hexadecimal characters.
   *
   * @param stream the code of the event's stream
   * @param event a view that wraps these bytes
   * @param offset where in the view's bytes the event starts
   * @param length how many bytes it takes
   */
  public String text(int stream, EventView event, int offset, int length) {
    JsonBuffer out = new JsonBuffer();
    write(stream, event, offset, length, out);
    return out.toString();
  }

  private void hash(int stream, EventView event, int offset, int length) {
    boolean hasId = event.has(EventField.ID);
    head[0] = (byte) stream;
    head[1] = (byte) (hasId ? 1 : 0);
    if (hasId) {
      boolean hasRider = event.has(EventField.RIDER_ID);
      int riderLength = hasRider ? event.length(EventField.RIDER_ID) : 0;
      head[2] = (byte) (riderLength >> 24);
      head[3] = (byte) (riderLength >> 16);
      head[4] = (byte) (riderLength >> 8);
      head[5] = (byte) riderLength;
      sha256.update(head, 0, 6);
      if (hasRider) {
        sha256.update(event.bytes(), event.offset(EventField.RIDER_ID), riderLength);
      }
      sha256.update(event.bytes(), event.offset(EventField.ID), event.length(EventField.ID));
    } else {
      sha256.update(head, 0, 2);
      if (event.has(EventField.ATTRIBUTES) && TracedEvent.has(event.bytes(), offset, length)) {
        traced.remove(event.bytes(), offset, length);
        sha256.update(traced.bytes(), 0, traced.size());
      } else {
        sha256.update(event.bytes(), offset, length);
      }
    }
    try {
      sha256.digest(digest, 0, digest.length);
    } catch (DigestException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
