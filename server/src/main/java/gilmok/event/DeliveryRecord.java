package gilmok.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Encodes what happened to a delivery. From any thread. */
public final class DeliveryRecord {
  private static final int VARINTS = 10;

  private DeliveryRecord() {}

  /**
   * The encoded form.
   *
   * @param id by which a repeat is known: {@code deliveryId:version}
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
