package gilmok.positions;

import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.geo.IndexedPoint;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;

/**
 * The latest position of one rider: an encoded event, replaced in place, and its sequence in the
 * log. Thread-safe: the event is guarded by this object's lock, the other fields are volatile.
 */
final class LatestPosition extends IndexedPoint {
  /**
   * The sequence of a rider that was removed. It is newer than any other, so no reader is sent it.
   */
  static final long FORGOTTEN = Long.MAX_VALUE;

  private final RiderKey rider;
  private final int number;
  private byte[] event = {};
  private int length;
  private volatile long at = Long.MIN_VALUE;
  private volatile long arrivedMillis;
  private volatile long sequence = Long.MIN_VALUE;

  /**
   * A rider without a position yet.
   *
   * @param number a small number that no other rider has at the time
   */
  LatestPosition(RiderKey rider, int number) {
    this.rider = rider;
    this.number = number;
  }

  RiderKey rider() {
    return rider;
  }

  int number() {
    return number;
  }

  /**
   * Replaces the position unless the new one is older.
   *
   * @return whether it was replaced
   */
  synchronized boolean update(
      long at, long arrivedMillis, long sequence, byte[] bytes, int offset, int length) {
    if (at < this.at) {
      return false;
    }
    if (event.length < length) {
      event = new byte[length + 16];
    }
    System.arraycopy(bytes, offset, event, 0, length);
    this.length = length;
    this.at = at;
    this.arrivedMillis = arrivedMillis;
    this.sequence = sequence;
    return true;
  }

  /** Sets only the sequence: {@link #FORGOTTEN}, or one for a position that was saved without. */
  void renumber(long sequence) {
    this.sequence = sequence;
  }

  synchronized void writeJson(EventView view, JsonBuffer out) {
    view.wrap(event, 0, length).writeJson(out);
  }

  /** A copy of the encoded event. */
  synchronized byte[] event() {
    return Arrays.copyOf(event, length);
  }

  /** The time of the fix, epoch ms. */
  long at() {
    return at;
  }

  long arrivedMillis() {
    return arrivedMillis;
  }

  /** The log's sequence of the position. */
  long sequence() {
    return sequence;
  }

  synchronized void writeTo(DataOutputStream out) throws IOException {
    out.writeLong(sequence);
    out.writeLong(arrivedMillis);
    out.writeInt(length);
    out.write(event, 0, length);
  }
}
