package gilmok.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Encodes quarantined records: the stream they were meant for, their place in the body, what was
 * wrong, and the bytes as they were sent, the first 64 KiB of them; a longer record that is sound
 * is given to it in its shortest form, which fits. A record that a sink refused also has an origin,
 * the sink and the record's id; its bytes are the record as JSON.
 *
 * <p>Not thread-safe: reused by the thread that quarantines.
 */
public final class QuarantinedEncoder {
  /** The most bytes of the sent record that are kept. */
  public static final int RAW_BYTES_MAX = 64 * 1024;

  /**
   * The attribute of an action that was quarantined and then collected again: when it arrived for
   * the first time.
   */
  public static final String QUARANTINED_AT = "quarantinedAt";

  static final int CUT = 1;
  static final int REFUSED = 2;

  private byte[] bytes = new byte[1024];
  private int size;

  /**
   * Encodes one record into {@link #bytes}.
   *
   * @param stream the stream's label, as in {@code traces}
   * @param index which element of the body it was, from 0
   * @param field the API's name of the wrong field; empty for the whole element
   * @param reason why it was refused
   * @param start where in {@code raw} it starts
   * @param end where in {@code raw} it ends
   */
  public void encode(
      String stream, int index, String field, String reason, byte[] raw, int start, int end) {
    encode(0, raw, start, end, stream, index, field, reason);
  }

  /**
   * Encodes one record that a sink refused into {@link #bytes}: the same bytes each time, so that
   * the log recognises it after a crash.
   *
   * @param stream the label of the record's stream
   * @param sink the sink's name
   * @param origin the record's id, as in {@code node:sequence}
   * @param field the API's name of the wrong field; empty for the whole record
   * @param reason why it was refused
   * @param json the array with the record as JSON
   * @param start where in {@code json} it starts
   * @param end where in {@code json} it ends
   */
  public void encodeRefused(
      String stream,
      String sink,
      String origin,
      String field,
      String reason,
      byte[] json,
      int start,
      int end) {
    encode(REFUSED, json, start, end, stream, 0, field, reason, sink, origin);
  }

  private void encode(
      int flags, byte[] raw, int start, int end, String stream, int index, String... texts) {
    int length = Math.min(end - start, RAW_BYTES_MAX);
    byte[] streamText = stream.getBytes(StandardCharsets.UTF_8);
    byte[][] others = new byte[texts.length][];
    int needed = 48 + streamText.length + length;
    for (int i = 0; i < texts.length; i++) {
      others[i] = texts[i].getBytes(StandardCharsets.UTF_8);
      needed += others[i].length;
    }
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
    }
    bytes[0] = (byte) EventKind.QUARANTINED.code();
    bytes[1] = (byte) (flags | (length < end - start ? CUT : 0));
    int p = LittleEndian.putBytes(bytes, 2, streamText, 0, streamText.length);
    p = LittleEndian.putVarint(bytes, p, index);
    for (byte[] text : others) {
      p = LittleEndian.putBytes(bytes, p, text, 0, text.length);
    }
    size = LittleEndian.putBytes(bytes, p, raw, start, length);
  }

  /** The encoded record, from 0 to {@link #size}; {@link #encode} may replace the array. */
  public byte[] bytes() {
    return bytes;
  }

  /** How many bytes the encoded record takes. */
  public int size() {
    return size;
  }
}
