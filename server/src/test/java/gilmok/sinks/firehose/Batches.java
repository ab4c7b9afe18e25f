package gilmok.sinks.firehose;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.Event;
import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import gilmok.event.QuarantinedEncoder;
import gilmok.log.Stream;
import gilmok.sinks.Batch;
import gilmok.sinks.ShippedLine;
import gilmok.storage.NodeId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Batches for tests. Their first sequence is 1. */
final class Batches {
  private static final long AT = 1_795_000_000_000L;
  private static final byte[] NO_EVENT = {99, 1, 2, 3};

  private final Batch batch = new Batch(NodeId.parse("abcdefghijkl"));
  private final Events events = new Events();
  private final Event event = new Event();
  private long sequence = 1;

  /** A batch of that many positions, each of another rider. */
  static Batch positions(int count) {
    return new Batches().positionsOf(count).batch();
  }

  Batches startingAt(long first) {
    sequence = first;
    return this;
  }

  Batches positionsOf(int riders) {
    for (int i = 0; i < riders; i++) {
      position("rider-" + i);
    }
    return this;
  }

  Batches position(String rider) {
    event.clear(EventKind.POSITION);
    text(EventField.RIDER_ID, rider);
    assertThat(event.at(AT + sequence)).isNull();
    assertThat(event.number(EventField.LAT, 37.5 + sequence / 1e5)).isNull();
    assertThat(event.number(EventField.LON, 127.0)).isNull();
    return add(Stream.TRACES);
  }

  Batches log(int messageChars) {
    event.clear(EventKind.LOG_LINE);
    text(EventField.RIDER_ID, "kim");
    assertThat(event.at(AT)).isNull();
    text(EventField.LEVEL, "info");
    text(EventField.MESSAGE, "m".repeat(messageChars));
    return add(Stream.LOGS);
  }

  /** Adds a record whose line is longer than that many bytes. */
  Batches huge(int bytes) {
    QuarantinedEncoder quarantined = new QuarantinedEncoder();
    quarantined.encode("traces", 0, "", "r".repeat(bytes), new byte[1], 0, 1);
    batch.add(Stream.QUARANTINE, sequence++, AT, quarantined.bytes(), 0, quarantined.size());
    return this;
  }

  /** Adds a record whose line is longer than that many bytes and can hardly be compressed. */
  Batches noise(int bytes) {
    Random random = new Random(sequence);
    StringBuilder reason = new StringBuilder(bytes);
    for (int i = 0; i < bytes; i++) {
      reason.append((char) ('0' + random.nextInt(43)));
    }
    QuarantinedEncoder quarantined = new QuarantinedEncoder();
    quarantined.encode("traces", 0, "", reason.toString(), new byte[1], 0, 1);
    batch.add(Stream.QUARANTINE, sequence++, AT, quarantined.bytes(), 0, quarantined.size());
    return this;
  }

  Batches damaged() {
    batch.add(Stream.ACTIONS, sequence++, AT, NO_EVENT, 0, NO_EVENT.length);
    return this;
  }

  Batch batch() {
    return batch;
  }

  private Batches add(Stream stream) {
    assertThat(event.fault()).isNull();
    events.clear();
    events.add(event, 0);
    batch.add(stream, sequence++, AT, events.bytes(), events.offset(0), events.length(0));
    return this;
  }

  private void text(EventField field, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    assertThat(event.text(field, utf8, 0, utf8.length)).isNull();
  }

  /** The lines of a batch's records, without line ends. */
  static List<String> lines(Batch batch) {
    ShippedLine line = new ShippedLine();
    JsonBuffer text = new JsonBuffer();
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      text.clear();
      line.write(batch, i, text);
      lines.add(text.toString());
    }
    return lines;
  }
}
