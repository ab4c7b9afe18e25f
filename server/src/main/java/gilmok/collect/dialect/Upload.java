package gilmok.collect.dialect;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a phone sent, as far as a dialect needs it: the bytes of a JSON body, or of parameters (a
 * query or a form, from which the key is already gone), and who it says it is beside them. Nobody
 * changes the bytes.
 */
public final class Upload {
  /** How many things of an upload are looked at; those behind them are one reject. */
  public static final int EVENTS_MAX = 10_000;

  private final byte[] bytes;
  private final int offset;
  private final int length;
  private final @Nullable String user;
  private final @Nullable String device;
  private final long receivedAtMillis;

  /**
   * An upload.
   *
   * @param user what OwnTracks calls its user, from the head or the query; null when not said
   * @param device what OwnTracks calls its device, from there too; for other apps, the device of
   *     what names none
   * @param receivedAtMillis when it arrived, epoch ms
   */
  public Upload(
      byte[] bytes,
      int offset,
      int length,
      @Nullable String user,
      @Nullable String device,
      long receivedAtMillis) {
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
    this.user = user;
    this.device = device;
    this.receivedAtMillis = receivedAtMillis;
  }

  /** Of a text, with nothing beside it. */
  public static Upload of(String text, long receivedAtMillis) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new Upload(bytes, 0, bytes.length, null, null, receivedAtMillis);
  }

  /** The same, of that device where it names none itself. */
  public Upload of(String ownDevice) {
    return new Upload(bytes, offset, length, user, ownDevice, receivedAtMillis);
  }

  /** The array that holds what was sent. */
  public byte[] bytes() {
    return bytes;
  }

  /** Where in {@link #bytes} it starts. */
  public int offset() {
    return offset;
  }

  /** How many bytes it is. */
  public int length() {
    return length;
  }

  /** Where in {@link #bytes} it ends. */
  public int end() {
    return offset + length;
  }

  /** What OwnTracks calls its user; null when not said. */
  public @Nullable String user() {
    return user;
  }

  /** What OwnTracks calls its device; null when not said. */
  public @Nullable String device() {
    return device;
  }

  /** When it arrived, epoch ms. */
  public long receivedAtMillis() {
    return receivedAtMillis;
  }
}
