package gilmok.sinks.redis;

import gilmok.collect.json.JsonDecoder;
import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.log.Stream;
import gilmok.sinks.Batch;
import gilmok.storage.NodeId;
import java.nio.charset.StandardCharsets;

/** A batch of positions, built one by one. */
final class Positions {
  static final NodeId NODE = NodeId.parse("abcdefghijkl");

  private final JsonDecoder decoder = new JsonDecoder();
  private final Events events = new Events();
  private final Batch batch = new Batch(NODE);
  private long sequence;

  /**
   * @param first the sequence of the first position
   */
  Positions(long first) {
    sequence = first;
  }

  Positions add(String rider, long at, double lat, double lon) {
    return add(rider, at, lat, lon, at + 100);
  }

  Positions add(String rider, long at, double lat, double lon, long receivedAt) {
    String json =
        "{\"riderId\":\"" + rider + "\",\"at\":" + at + ",\"lat\":" + lat + ",\"lon\":" + lon + "}";
    return add(json, receivedAt);
  }

  /** Adds one, given as the API's JSON. */
  Positions add(String json, long receivedAt) {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    events.clear();
    decoder.decode(EventKind.POSITION, body, 0, body.length, events);
    int length = events.length(0);
    batch.add(Stream.TRACES, sequence++, receivedAt, events.bytes(), events.offset(0), length);
    return this;
  }

  /** Adds a record that cannot be decoded. */
  Positions addDamaged() {
    batch.add(Stream.TRACES, sequence++, 1, new byte[] {99, 1, 2}, 0, 3);
    return this;
  }

  Batch batch() {
    return batch;
  }
}
