package gilmok.collect.format;

import gilmok.collect.dialect.DialectEvent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The rider of a device's name, asked once for records that follow each other: most uploads are of
 * one device. Not thread-safe.
 */
final class RiderNames {
  private byte[] device = {};
  private byte[] rider = {};
  private boolean isKnown;

  /** Forgets the last one, as its binding may change between two uploads. */
  void clear() {
    isKnown = false;
  }

  /** The rider of a device, in UTF-8. */
  byte[] riderOf(DialectEvent upload, byte[] bytes, int offset, int length) {
    if (!isKnown || !Arrays.equals(device, 0, device.length, bytes, offset, offset + length)) {
      device = Arrays.copyOfRange(bytes, offset, offset + length);
      rider =
          upload
              .riderOf(new String(device, StandardCharsets.UTF_8))
              .getBytes(StandardCharsets.UTF_8);
      isKnown = true;
    }
    return rider;
  }

  /** The last device, in UTF-8. */
  byte[] device() {
    return device;
  }
}
