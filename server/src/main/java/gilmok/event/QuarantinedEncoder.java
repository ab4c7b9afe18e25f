package gilmok.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Encodes what could not be used: for which stream it was meant, which element of its body it was,
 * what was wrong, and its bytes as they were sent, the first 64 KiB of them. What a sink refused
 * has an origin too: the sink and the record's id; its bytes are then the record as JSON.
 *
 * <p>Not thread-safe: reused by the thread that collects, or sets aside.
 */
public final class QuarantinedEncoder {
  /** How many bytes of what was sent are kept. */
  public static final int RAW_BYTES_MAX = 64 * 1024;

  static final int CUT = 1;
  static final int REFUSED = 2;

  private byte[] bytes = new byte[1024];
  private int size;

  /**
   * Encodes one record into {@link #bytes}.
   *
   * @param stream the stream's label, as in {@code traces}
   * @param index which element of the body it was, from 0
   * @param field the API's name of what is wrong; empty for all of it
   * @param reason why
   * @param start where in {@code raw} it starts
   * @param end where in {@code raw} it ends
   */
  public void encode(
      String stream, int index, String field, String reason, byte[] raw, int start, int end) {
    encode(0, raw, start, end, stream, index, field, reason);
  }

  /**
   * Encodes one record that a sink refused into {@link #bytes}: the same bytes each time, so that
   * the log knows it again after a crash.
   *
   * @param stream the label of the stream that it is of
   * @param sink the sink's name
   * @param origin the record's id, as in {@code node:sequence}
   * @param field the API's name of what is wrong; empty for all of it
   * @param reason why
   * @param json where the record as JSON is
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

  /** The encoded record, from 0 to {@link #size}; another array after {@link #encode}. */
  public byte[] bytes() {
    return bytes;
  }

  /** How many bytes the encoded record takes. */
  public int size() {
    return size;
  }
}
