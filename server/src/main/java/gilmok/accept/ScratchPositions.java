package gilmok.accept;

import gilmok.collect.json.JsonDecoder;
import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.log.Stream;
import gilmok.sinks.Batch;
import gilmok.storage.NodeId;
import java.nio.charset.StandardCharsets;

/**
 * Positions of riders whom nobody knows, in batches as the sinks get them. Each record has a
 * sequence of its own. Not thread-safe.
 */
final class ScratchPositions {
  /** How many riders there are; the records go round among them. */
  static final int RIDERS = 5;

  private final NodeId node;
  private final JsonDecoder decoder = new JsonDecoder();
  private final Events events = new Events();
  private long sequence;

  ScratchPositions(NodeId node) {
    this.node = node;
  }

  NodeId node() {
    return node;
  }

  /** The rider of a record, by its place in a batch. */
  static String rider(int i) {
    return "accept-" + i % RIDERS;
  }

  /**
   * A batch of new records.
   *
   * @param atMillis the time of the first fix; each further one is a millisecond later
   * @param comment a text that makes each record longer; may be empty
   */
  Batch batch(int count, long atMillis, String comment) {
    Batch batch = new Batch(node);
    String more = comment.isEmpty() ? "" : ",\"attributes\":{\"comment\":\"" + comment + "\"}";
    for (int i = 0; i < count; i++) {
      String json =
          "{\"riderId\":\"%s\",\"at\":%d,\"lat\":37.5,\"lon\":127%s}"
              .formatted(rider(i), atMillis + i, more);
      byte[] body = json.getBytes(StandardCharsets.UTF_8);
      decoder.decode(EventKind.POSITION, body, 0, body.length, events);
      if (events.count() != 1) {
        throw new IllegalStateException("no position: " + json);
      }
      batch.add(
          Stream.TRACES, ++sequence, atMillis, events.bytes(), events.offset(0), events.length(0));
    }
    return batch;
  }
}
