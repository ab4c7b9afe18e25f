package gilmok.positions;

import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;

/**
 * One write to one reader, as server-sent events. Each event has an id, {@code node:sequence}: the
 * sequence up to which the reader then knows every position.
 *
 * <p>Not thread-safe: owned by the stream thread.
 */
final class SseBatch {
  private static final int EVENTS_MAX = 1000;
  private static final int BYTES_MAX = 1 << 16;

  private final String id;
  private final LatestPositions latest;
  private final RenderedPositions rendered;
  private final PositionCopy copy = new PositionCopy();
  private final JsonBuffer out = new JsonBuffer();
  private int positions;
  private int left;

  SseBatch(LatestPositions latest, HiddenRiders hidden, String node) {
    this.latest = latest;
    this.id = "id: " + node + ":";
    this.rendered = new RenderedPositions(latest, hidden, id.getBytes(StandardCharsets.US_ASCII));
  }

  void clear() {
    out.clear();
    positions = 0;
    left = 0;
  }

  boolean isFull() {
    return positions + left >= EVENTS_MAX || out.size() >= BYTES_MAX;
  }

  boolean isEmpty() {
    return out.size() == 0;
  }

  int positions() {
    return positions;
  }

  int left() {
    return left;
  }

  /** The number of a rider; {@link RiderTable#NONE} if it has no position. */
  int find(RiderKey rider) {
    return latest.find(rider, copy);
  }

  /**
   * Adds a rider's position.
   *
   * @return false if there is none with this sequence any more: a newer one comes later
   */
  boolean position(int rider, long sequence) {
    boolean isAdded = rendered.write(rider, sequence, out);
    positions += isAdded ? 1 : 0;
    return isAdded;
  }

  /**
   * Adds the event of a rider that has left the reader's box.
   *
   * @return false if there is no position with this sequence any more: a newer one comes later
   */
  boolean left(int rider, long sequence) {
    if (!latest.copy(rider, copy) || copy.sequence() != sequence) {
      return false;
    }
    left++;
    out.ascii(id).number(sequence).ascii("\nevent: left\ndata: {\"riderId\":");
    copy.writeRider(out);
    out.ascii("}\n\n");
    return true;
  }

  /** Adds the event of a rider that nobody sees any more. It is no place to resume from. */
  void hidden(RiderKey rider) {
    left++;
    out.ascii("event: left\ndata: {\"riderId\":");
    rider.write(out);
    out.ascii("}\n\n");
  }

  /**
   * Adds a heartbeat. It keeps the connection alive and gives the id to resume from, but triggers
   * no event in the client.
   */
  void beat(long told) {
    out.ascii(":\n").ascii(id).number(told).ascii("\n\n");
  }

  /** Releases the events that were cached for further readers. */
  void rest() {
    rendered.rest();
  }

  byte[] bytes() {
    return out.copy();
  }
}
