package gilmok.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Encodes records that are an id and one JSON object: the events of deliveries and the entries of
 * the audit. From any thread.
 */
public final class JsonRecord {
  private static final int VARINTS = 10;

  private JsonRecord() {}

  /**
   * Returns the encoded form.
   *
   * @param kind one that {@link EventKind#isJson}
   * @param id the key by which a repeat is recognised, as in {@code deliveryId:version}
   * @param json one JSON object without white space
   */
  public static byte[] encode(EventKind kind, String id, JsonBuffer json) {
    byte[] name = id.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[1 + VARINTS + name.length + json.size()];
    bytes[0] = (byte) kind.code();
    int p = LittleEndian.putBytes(bytes, 1, name, 0, name.length);
    p = LittleEndian.putBytes(bytes, p, json.bytes(), 0, json.size());
    return Arrays.copyOf(bytes, p);
  }
}
