package gilmok.collect.dialect;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An upload as a dialect needs it: the bytes of a JSON body or of parameters (a query or a form,
 * without the key), and the identity that was sent beside them. The bytes must not be changed.
 *
 * @param bytes the array that holds what was sent
 * @param offset where in it that starts
 * @param length how many bytes it is
 * @param user OwnTracks' user, from the head or the query; null when not sent
 * @param device OwnTracks' device, from there too; for other apps, the device of events that name
 *     none; null when not sent
 * @param receivedAtMillis when it arrived, epoch ms
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Upload(
    byte[] bytes,
    int offset,
    int length,
    @Nullable String user,
    @Nullable String device,
    long receivedAtMillis) {
  /** The most items of an upload that are read; those after them are one reject. */
  public static final int EVENTS_MAX = 10_000;

  /** An upload of a text alone. */
  public static Upload of(String text, long receivedAtMillis) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new Upload(bytes, 0, bytes.length, null, null, receivedAtMillis);
  }

  /** The same upload, with a device for events that name none. */
  public Upload of(String ownDevice) {
    return new Upload(bytes, offset, length, user, ownDevice, receivedAtMillis);
  }

  /**
   * Whether the bytes are JSON: decided by the first byte after white space and a byte order mark,
   * as apps send different content types.
   */
  public static boolean isJson(byte[] bytes, int from, int end) {
    int p = from;
    if (end - p >= 3
        && bytes[p] == (byte) 0xef
        && bytes[p + 1] == (byte) 0xbb
        && bytes[p + 2] == (byte) 0xbf) {
      p += 3;
    }
    while (p < end && (bytes[p] == ' ' || (bytes[p] >= '\t' && bytes[p] <= '\r'))) {
      p++;
    }
    return p < end && (bytes[p] == '{' || bytes[p] == '[');
  }

  /** Where in {@link #bytes} the upload ends. */
  public int end() {
    return offset + length;
  }
}
