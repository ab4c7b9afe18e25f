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
    int p = text(name, name.length, bytes, 1);
    p = text(json.bytes(), json.size(), bytes, p);
    return Arrays.copyOf(bytes, p);
  }

  private static int text(byte[] source, int length, byte[] target, int offset) {
    int p = LittleEndian.putVarint(target, offset, length);
    System.arraycopy(source, 0, target, p, length);
    return p + length;
  }
}
