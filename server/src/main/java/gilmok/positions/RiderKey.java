package gilmok.positions;

import gilmok.event.JsonBuffer;
import gilmok.event.SeededHash;
import java.util.Arrays;

/**
 * A rider's id as bytes, for look-ups without creating a string. A key in a map never changes; a
 * probe is pointed to other bytes before each look-up.
 */
final class RiderKey {
  private byte[] bytes;
  private int offset;
  private int length;
  private int hash;

  private RiderKey(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
    this.hash = SeededHash.of(bytes, offset, length);
  }

  static RiderKey probe() {
    return new RiderKey(new byte[0], 0, 0);
  }

  static RiderKey of(byte[] utf8) {
    return new RiderKey(utf8, 0, utf8.length);
  }

  /** Points a probe to the given bytes. */
  RiderKey at(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
    this.hash = SeededHash.of(bytes, offset, length);
    return this;
  }

  /** A copy that can be put into a map. */
  RiderKey copy() {
    return of(Arrays.copyOfRange(bytes, offset, offset + length));
  }

  boolean is(byte[] others, int otherOffset, int otherLength) {
    return Arrays.equals(
        bytes, offset, offset + length, others, otherOffset, otherOffset + otherLength);
  }

  /** Writes the id as a JSON string. */
  void writeJson(JsonBuffer out) {
    out.string(bytes, offset, length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RiderKey key
        && hash == key.hash
        && is(key.bytes, key.offset, key.length);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
