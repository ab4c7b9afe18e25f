package gilmok.ship.file;

import gilmok.event.Event;
import gilmok.event.Events;
import gilmok.event.Field;
import gilmok.event.Kind;
import gilmok.event.Quarantined;
import gilmok.log.NodeId;
import gilmok.log.Stream;
import gilmok.ship.Batch;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** Encoded events: realistic ones, and ones with everything that is allowed. */
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
  private final Quarantined quarantined = new Quarantined();

  Records(long seed) {
    random = new SplittableRandom(seed);
  }

  /** A usual position. */
  void position(Batch batch, long sequence, long receivedAt) {
    event.clear(Kind.POSITION);
    text(Field.RIDER_ID, "rider-" + (100_000 + sequence % 5000));
    event.at(receivedAt - 300 - random.nextInt(2000));
    event.number(Field.LAT, 375_000_000L + random.nextInt(1_000_000), 7);
    event.number(Field.LON, 1_270_000_000L + random.nextInt(1_000_000), 7);
    event.number(Field.ACCURACY, 30 + random.nextInt(200), 1);
    event.number(Field.SPEED, random.nextInt(1500), 2);
    event.number(Field.BEARING, random.nextInt(3600), 1);
    event.number(Field.BATTERY, random.nextInt(100), 2);
    text(Field.DELIVERY_ID, "d-20261121-" + (sequence % 5000));
    add(batch, Stream.TRACES, sequence, receivedAt);
  }

  /** Anything of that stream. */
  void any(Batch batch, Stream stream, long sequence, long receivedAt) {
    switch (stream) {
      case TRACES -> {
        begin(Kind.POSITION, receivedAt);
        place();
        number(Field.ACCURACY, 0, 1e9);
        number(Field.SPEED, 0, 1e9);
        number(Field.BEARING, 0, 360);
        number(Field.ALTITUDE, -12_000, 100_000);
        number(Field.BATTERY, 0, 1);
        maybe(Field.PROVIDER);
        maybe(Field.DELIVERY_ID);
      }
      case ACTIONS, DELIVERIES -> {
        begin(Kind.ACTION, receivedAt);
        text(Field.TYPE, "picked-up");
        maybe(Field.DELIVERY_ID);
        if (random.nextBoolean()) {
          place();
        }
      }
      case LOGS -> {
        begin(Kind.LOG_LINE, receivedAt);
        text(Field.LEVEL, "WARN");
        text(Field.MESSAGE, random.nextBoolean() ? "" : "two\nlines\t\u0000\u001f of 길 🚲");
      }
      case QUARANTINE -> {
        aside(batch, sequence, receivedAt);
        return;
      }
    }
    maybe(Field.ID);
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

  private void begin(Kind kind, long receivedAt) {
    event.clear(kind);
    text(Field.RIDER_ID, TEXTS[random.nextInt(TEXTS.length)]);
    event.at(receivedAt + random.nextLong(-10_000_000, 2_000_000));
  }

  private void place() {
    switch (random.nextInt(3)) {
      case 0 -> {
        event.number(Field.LAT, -0.0);
        event.number(Field.LON, random.nextDouble(-180, 180));
      }
      case 1 -> {
        event.number(Field.LAT, 37.123456789012344);
        event.number(Field.LON, 127.5);
      }
      default -> {
        event.number(Field.LAT, random.nextInt(-900, 900), 1);
        event.number(Field.LON, random.nextInt(-180_000_000, 180_000_000), 6);
      }
    }
  }

  private void number(Field field, double from, double to) {
    switch (random.nextInt(4)) {
      case 0 -> event.number(field, random.nextDouble(from, to));
      case 1 -> event.number(field, Math.rint(random.nextDouble(from, to) * 1e3) / 1e3);
      case 2 -> event.number(field, from == 0 ? -0.0 : from);
      default -> {
        // Left out.
      }
    }
  }

  private void maybe(Field field) {
    if (random.nextBoolean()) {
      text(field, TEXTS[random.nextInt(TEXTS.length)]);
    }
  }

  private void text(Field field, String text) {
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
