package gilmok.sinks.kafka;

import gilmok.collect.json.JsonDecoder;
import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import gilmok.event.JsonRecord;
import gilmok.event.QuarantinedEncoder;
import gilmok.log.Stream;
import gilmok.sinks.Batch;
import gilmok.storage.NodeId;
import java.nio.charset.StandardCharsets;

/** A batch of records, built one by one. */
final class KafkaBatches {
  static final NodeId NODE = NodeId.parse("abcdefghijkl");
  static final long NOW = 1_800_000_000_000L;

  private final JsonDecoder decoder = new JsonDecoder();
  private final Events events = new Events();
  private final Batch batch = new Batch(NODE);
  private long sequence;

  /**
   * @param first the sequence of the first record
   */
  KafkaBatches(long first) {
    sequence = first;
  }

  /** Positions of ten riders, one a millisecond. */
  static Batch positions(long first, int count) {
    KafkaBatches batch = new KafkaBatches(first);
    for (long i = first; i < first + count; i++) {
      batch.position("rider-" + i % 10, NOW - 1_000_000 + i);
    }
    return batch.batch();
  }

  KafkaBatches position(String rider, long at) {
    return add(
        Stream.TRACES,
        EventKind.POSITION,
        "{\"riderId\":\"%s\",\"at\":%d,\"lat\":37.5,\"lon\":127}".formatted(rider, at));
  }

  KafkaBatches action(String rider, String note) {
    return add(
        Stream.ACTIONS,
        EventKind.ACTION,
        "{\"riderId\":\"%s\",\"at\":%d,\"type\":\"x\",\"attributes\":{\"note\":\"%s\"}}"
            .formatted(rider, NOW, note));
  }

  KafkaBatches delivery(String id, int version) {
    JsonBuffer json = new JsonBuffer().ascii("{\"of\":1}");
    byte[] record = JsonRecord.encode(EventKind.DELIVERY, id + ":" + version, json);
    batch.add(Stream.DELIVERIES, sequence++, NOW, record, 0, record.length);
    return this;
  }

  /** A record whose line is longer than that many bytes. */
  KafkaBatches huge(int bytes) {
    QuarantinedEncoder encoder = new QuarantinedEncoder();
    encoder.encode("traces", 0, "", "r".repeat(bytes), new byte[1], 0, 1);
    batch.add(Stream.QUARANTINE, sequence++, NOW, encoder.bytes(), 0, encoder.size());
    return this;
  }

  KafkaBatches damaged() {
    batch.add(Stream.TRACES, sequence++, NOW, new byte[] {99, 1, 2}, 0, 3);
    return this;
  }

  private KafkaBatches add(Stream stream, EventKind kind, String json) {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    events.clear();
    decoder.decode(kind, body, 0, body.length, events);
    batch.add(stream, sequence++, NOW, events.bytes(), events.offset(0), events.length(0));
    return this;
  }

  Batch batch() {
    return batch;
  }
}
