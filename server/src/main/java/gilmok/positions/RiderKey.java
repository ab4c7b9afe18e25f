package gilmok.positions;

import gilmok.event.JsonBuffer;
import gilmok.event.SeededHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A rider's id as bytes, for look-ups. Immutable. */
final class RiderKey {
  private final byte[] bytes;
  private final int hash;

  private RiderKey(byte[] bytes) {
    this.bytes = bytes;
    this.hash = SeededHash.of(bytes, 0, bytes.length);
  }

  static RiderKey of(String riderId) {
    return new RiderKey(riderId.getBytes(StandardCharsets.UTF_8));
  }

  boolean is(byte[] others, int offset, int length) {
    return Arrays.equals(bytes, 0, bytes.length, others, offset, offset + length);
  }

  boolean isHidden(HiddenRiders hidden) {
    return hidden.isAny() && hidden.hides(bytes, 0, bytes.length);
  }

  /** Writes the id as a JSON string. */
  void write(JsonBuffer out) {
    out.string(bytes, 0, bytes.length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RiderKey key && hash == key.hash && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
