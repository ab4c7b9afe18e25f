package gilmok.live;

import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;

/**
 * The latest position of one rider: an encoded event, replaced in place. Thread-safe by its lock.
 */
final class Latest {
  private final RiderKey rider;
  private byte[] event = {};
  private int length;
  private long at = Long.MIN_VALUE;
  private long arrivedMillis;

  Latest(RiderKey rider) {
    this.rider = rider;
  }

  RiderKey rider() {
    return rider;
  }

  /** Takes a position unless it is older than the one there is. */
  synchronized void update(long at, long arrivedMillis, byte[] bytes, int offset, int length) {
    if (at < this.at) {
      return;
    }
    if (event.length < length) {
      event = new byte[length + 16];
    }
    System.arraycopy(bytes, offset, event, 0, length);
    this.length = length;
    this.at = at;
    this.arrivedMillis = arrivedMillis;
  }

  synchronized void writeJson(EventView view, JsonBuffer out) {
    view.wrap(event, 0, length).writeJson(out);
  }

  /** A copy of the encoded event. */
  synchronized byte[] event() {
    return Arrays.copyOf(event, length);
  }

  synchronized long arrivedMillis() {
    return arrivedMillis;
  }

  synchronized void writeTo(DataOutputStream out) throws IOException {
    out.writeLong(arrivedMillis);
    out.writeInt(length);
    out.write(event, 0, length);
  }
}
