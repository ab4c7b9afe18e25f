package gilmok.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Encodes the events of deliveries. From any thread. */
public final class DeliveryRecord {
  private static final int VARINTS = 10;

  private DeliveryRecord() {}

  /**
   * Returns the encoded form.
   *
   * @param id the key by which a repeat is recognised: {@code deliveryId:version}
   * @param json one JSON object without white space
   */
  public static byte[] encode(String id, JsonBuffer json) {
    byte[] name = id.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[1 + VARINTS + name.length + json.size()];
    bytes[0] = (byte) EventKind.DELIVERY.code();
    int p = LittleEndian.putBytes(bytes, 1, name, 0, name.length);
    p = LittleEndian.putBytes(bytes, p, json.bytes(), 0, json.size());
    return Arrays.copyOf(bytes, p);
  }
}
