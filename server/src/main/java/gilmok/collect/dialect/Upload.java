package gilmok.collect.dialect;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a phone sent, as far as a dialect needs it: the bytes of a JSON body, or of parameters (a
 * query or a form, from which the key is already gone), and who it says it is beside them. Nobody
 * changes the bytes.
 *
 * @param bytes the array that holds what was sent
 * @param offset where in it that starts
 * @param length how many bytes it is
 * @param user what OwnTracks calls its user, from the head or the query; null when not said
 * @param device what OwnTracks calls its device, from there too; for other apps, the device of what
 *     names none; null when not said
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
  /** How many things of an upload are looked at; those behind them are one reject. */
  public static final int EVENTS_MAX = 10_000;

  /** Of a text, with nothing beside it. */
  public static Upload of(String text, long receivedAtMillis) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new Upload(bytes, 0, bytes.length, null, null, receivedAtMillis);
  }

  /** The same, of that device where it names none itself. */
  public Upload of(String ownDevice) {
    return new Upload(bytes, offset, length, user, ownDevice, receivedAtMillis);
  }

  /**
   * Whether bytes are JSON, by the first behind white space and a byte order mark, as apps do not
   * agree on the content type.
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

  /** Where in {@link #bytes} it ends. */
  public int end() {
    return offset + length;
  }
}
