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
  private final RenderedPositions rendered;
  private final JsonBuffer out = new JsonBuffer();
  private int positions;
  private int left;

  SseBatch(String node) {
    this.id = "id: " + node + ":";
    this.rendered = new RenderedPositions(id.getBytes(StandardCharsets.US_ASCII));
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

  void position(LatestPosition latest, long sequence) {
    positions++;
    rendered.write(latest, sequence, out);
  }

  /** Adds the event of a rider that has left the reader's box. */
  void left(LatestPosition latest, long sequence) {
    left++;
    out.ascii(id).number(sequence).ascii("\nevent: left\ndata: {\"riderId\":");
    latest.rider().writeJson(out);
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
