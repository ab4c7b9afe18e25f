package gilmok.sinks.file;

import gilmok.event.Event;
import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.event.QuarantinedEncoder;
import gilmok.log.Stream;
import gilmok.sinks.Batch;
import gilmok.storage.NodeId;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** Encoded events: typical ones, and ones with every allowed field. */
final class Records {
  static final NodeId NODE = NodeId.parse("abcdefghijkl");
  static final NodeId OTHER = NodeId.parse("mnopqrstuvwx");

  /** 2026-11-21T14:00:00Z. */
  static final long TWO_PM = 1_795_269_600_000L;

  private static final String[] TEXTS = {
    "a", "길목", "a \"quoted\\ one\"", "🚲 zwei", "d-2026-000123", "éa\u0301", "x".repeat(128)
  };

  private final SplittableRandom random;
  private final Event event = new Event();
  private final Events events = new Events();
  private final QuarantinedEncoder quarantined = new QuarantinedEncoder();

  Records(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Adds a typical position. */
  void position(Batch batch, long sequence, long receivedAt) {
    event.clear(EventKind.POSITION);
    text(EventField.RIDER_ID, "rider-" + (100_000 + sequence % 5000));
    event.at(receivedAt - 300 - random.nextInt(2000));
    event.number(EventField.LAT, 375_000_000L + random.nextInt(1_000_000), 7);
    event.number(EventField.LON, 1_270_000_000L + random.nextInt(1_000_000), 7);
    event.number(EventField.ACCURACY, 30 + random.nextInt(200), 1);
    event.number(EventField.SPEED, random.nextInt(1500), 2);
    event.number(EventField.BEARING, random.nextInt(3600), 1);
    event.number(EventField.BATTERY, random.nextInt(100), 2);
    text(EventField.DELIVERY_ID, "d-20261121-" + (sequence % 5000));
    add(batch, Stream.TRACES, sequence, receivedAt);
  }

  /** Adds a random event of that stream. */
  void any(Batch batch, Stream stream, long sequence, long receivedAt) {
    switch (stream) {
      case TRACES -> {
        begin(EventKind.POSITION, receivedAt);
        place();
        number(EventField.ACCURACY, 0, 1e9);
        number(EventField.SPEED, 0, 1e9);
        number(EventField.BEARING, 0, 360);
        number(EventField.ALTITUDE, -12_000, 100_000);
        number(EventField.BATTERY, 0, 1);
        maybe(EventField.PROVIDER);
        maybe(EventField.DELIVERY_ID);
      }
      case ACTIONS, DELIVERIES, AUDIT -> {
        begin(EventKind.ACTION, receivedAt);
        text(EventField.TYPE, "picked-up");
        maybe(EventField.DELIVERY_ID);
        if (random.nextBoolean()) {
          place();
        }
      }
      case LOGS -> {
        begin(EventKind.LOG_LINE, receivedAt);
        text(EventField.LEVEL, "WARN");
        text(EventField.MESSAGE, random.nextBoolean() ? "" : "two\nlines\t\u0000\u001f of 길 🚲");
      }
      case QUARANTINE -> {
        aside(batch, sequence, receivedAt);
        return;
      }
    }
    maybe(EventField.ID);
    if (random.nextBoolean()) {
      byte[] name = {'k', '"', (byte) 0xc3, (byte) 0xa9};
      event.attributes().member(true, name, 0, 4).ascii("[1,{\"b\":null},\"\\u0001\"]");
    }
    add(batch, stream, sequence, receivedAt);
  }

  private void aside(Batch batch, long sequence, long receivedAt) {
    byte[] raw =
        random.nextBoolean()
            ? new byte[] {(byte) 0xff, 0, 1}
            : "{\"lat\":\"길\n\"}".getBytes(StandardCharsets.UTF_8);
    if (random.nextInt(3) == 0) {
      String origin = NODE + ":" + random.nextInt(1000);
      byte[] json = "{\"riderId\":\"길\"}".getBytes(StandardCharsets.UTF_8);
      quarantined.encodeRefused(
          "logs", "firehose-logs", origin, "message", "no", json, 0, json.length);
    } else {
      int index = random.nextInt(500);
      quarantined.encode("traces", index, "lat", "not a number", raw, 0, raw.length);
    }
    batch.add(Stream.QUARANTINE, sequence, receivedAt, quarantined.bytes(), 0, quarantined.size());
  }

  private void begin(EventKind kind, long receivedAt) {
    event.clear(kind);
    text(EventField.RIDER_ID, TEXTS[random.nextInt(TEXTS.length)]);
    event.at(receivedAt + random.nextLong(-10_000_000, 2_000_000));
  }

  private void place() {
    switch (random.nextInt(3)) {
      case 0 -> {
        event.number(EventField.LAT, -0.0);
        event.number(EventField.LON, random.nextDouble(-180, 180));
      }
      case 1 -> {
        event.number(EventField.LAT, 37.123456789012344);
        event.number(EventField.LON, 127.5);
      }
      default -> {
        event.number(EventField.LAT, random.nextInt(-900, 900), 1);
        event.number(EventField.LON, random.nextInt(-180_000_000, 180_000_000), 6);
      }
    }
  }

  private void number(EventField field, double from, double to) {
    switch (random.nextInt(4)) {
      case 0 -> event.number(field, random.nextDouble(from, to));
      case 1 -> event.number(field, Math.rint(random.nextDouble(from, to) * 1e3) / 1e3);
      case 2 -> event.number(field, from == 0 ? -0.0 : from);
      default -> {
        // The field is left out.
      }
    }
  }

  private void maybe(EventField field) {
    if (random.nextBoolean()) {
      text(field, TEXTS[random.nextInt(TEXTS.length)]);
    }
  }

  private void text(EventField field, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    String fault = event.text(field, utf8, 0, utf8.length);
    if (fault != null) {
      throw new IllegalArgumentException(field + ": " + fault);
    }
  }

  private void add(Batch batch, Stream stream, long sequence, long receivedAt) {
    events.clear();
    events.add(event, 0);
    batch.add(stream, sequence, receivedAt, events.bytes(), 0, events.length(0));
  }
}
