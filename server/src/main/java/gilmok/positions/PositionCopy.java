package gilmok.positions;

import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.event.LittleEndian;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;

/**
 * A copy of one rider's latest position, for reading it whole while the rider's next position
 * arrives. One object serves many copies.
 *
 * <p>Not thread-safe: each reading thread has its own.
 */
final class PositionCopy {
  private final EventView view = new EventView();
  private byte[] bytes = new byte[256];
  private int length;
  private long sequence;
  private long arrivedMillis;

  /**
   * Takes bytes that are perhaps being overwritten; {@link #keep} or another attempt follows.
   *
   * @return false if they cannot be an event
   */
  boolean attempt(byte[] page, int offset) {
    int from = offset + EventPages.HEADER_BYTES;
    if (from > page.length) {
      return false;
    }
    int size = EventPages.length(LittleEndian.getInt(page, offset));
    if (size > page.length - from) {
      return false;
    }
    if (size > bytes.length) {
      bytes = new byte[2 * size];
    }
    System.arraycopy(page, from, bytes, 0, size);
    length = size;
    return true;
  }

  void keep(long sequence, long arrivedMillis) {
    this.sequence = sequence;
    this.arrivedMillis = arrivedMillis;
  }

  /** The log's sequence of the position. */
  long sequence() {
    return sequence;
  }

  /** The time of the fix, epoch ms. */
  long at() {
    return EncodedPosition.at(bytes, 0);
  }

  /** Whether it is a position of the rider with this id. */
  boolean isOf(RiderKey rider) {
    return rider.is(bytes, EncodedPosition.riderOffset(bytes, 0), riderLength());
  }

  boolean isHidden(HiddenRiders hidden) {
    return hidden.hides(bytes, EncodedPosition.riderOffset(bytes, 0), riderLength());
  }

  /** Writes the rider's id as a JSON string. */
  void writeRider(JsonBuffer out) {
    out.string(bytes, EncodedPosition.riderOffset(bytes, 0), riderLength());
  }

  /** Writes the position as a JSON object. */
  void writeJson(JsonBuffer out) {
    view.wrap(bytes, 0, length).writeJson(out);
  }

  void writeTo(DataOutputStream out) throws IOException {
    out.writeLong(sequence);
    out.writeLong(arrivedMillis);
    out.writeInt(length);
    out.write(bytes, 0, length);
  }

  /** The encoded event. */
  byte[] event() {
    return Arrays.copyOf(bytes, length);
  }

  private int riderLength() {
    return EncodedPosition.riderLength(bytes, 0);
  }
}
