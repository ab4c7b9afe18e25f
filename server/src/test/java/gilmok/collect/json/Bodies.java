package gilmok.collect.json;

import gilmok.event.EventKind;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Random bodies: usual, unusual and broken. The same seed makes the same bodies. */
final class Bodies {
  private static final String[] NAMES = {
    "riderId",
    "at",
    "lat",
    "lon",
    "accuracy",
    "speed",
    "bearing",
    "altitude",
    "battery",
    "provider",
    "deliveryId",
    "id",
    "attributes",
    "type",
    "level",
    "message"
  };
  private static final String[] OTHER_NAMES = {
    "l\\u0061t",
    "at\\\"x",
    "",
    "a",
    "\\u0061",
    "lats",
    "la",
    "flags",
    "riderID",
    "attributes2",
    "deliveryIx",
    "attributex",
    "\uae38",
    "\\ud83d\\ude00",
    "\\ud83d",
    "i\\u0064",
    "rider\\/",
    "\\/"
  };
  private static final String[] NUMBERS = {
    "0",
    "-0",
    "0.0",
    "-0.0",
    "1",
    "5.0",
    "5e0",
    "50e-1",
    "0.05E2",
    "90",
    "-90",
    "90.0000001",
    "180",
    "-180.0",
    "180.00000000000001",
    "360",
    "360.00000000000000001",
    "1e-300",
    "4.9e-324",
    "1e-400",
    "1e400",
    "-1e400",
    "0.1",
    "0.10000000000000000555",
    "37.785834000000001",
    "0.30000000000000004",
    "123456789012345678901234567890",
    "9007199254740993",
    "1e15",
    "1e14",
    "999999999999999",
    "1000000000",
    "1000000000.1",
    "0.000000001",
    "0.0000000001",
    "12.345678901",
    "37.49791234567",
    "127.0276194",
    "127.02761945",
    "00",
    "01",
    "-",
    "+1",
    ".5",
    "1.",
    "1.e5",
    "1e",
    "1e+",
    "0x1",
    "NaN",
    "1767225600000",
    "1767225600000.0",
    "1767225600000.5",
    "1.7672256e12",
    "17672256000000e-1",
    "4133980800000",
    "4133980799999",
    "-1",
    "1e30",
    "0e99",
    "12345678",
    "1234567",
    "123456",
    "0.12345678",
    "0.123456789",
    "8.50",
    "100.00",
    "1e2",
    "1E02"
  };
  private static final String[] TIMES = {
    "2026-01-31T23:59:59Z",
    "2026-01-31T23:59:59.5Z",
    "2026-01-31T23:59:59.123Z",
    "2026-01-31T23:59:59.123456789Z",
    "2026-01-31 23:59:59Z",
    "2026-01-31t23:59:59z",
    "2026-01-31T23:59:60Z",
    "2026-01-31T23:59:61Z",
    "2026-02-29T00:00:00Z",
    "2024-02-29T00:00:00Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T09:00:00+09:00",
    "2026-01-31T09:00:00-00:00",
    "2026-01-31T09:00:00.123+09:00",
    "2026-01-31T09:00:00+0900",
    "2026-01-31T09:00:00+24:00",
    "1969-12-31T23:59:59Z",
    "1970-01-01T00:00:00Z",
    "1970-01-01T00:00:00+00:01",
    "2100-12-31T23:59:59.999Z",
    "2101-01-01T00:00:00Z",
    "0000-00-00T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-31T23:59:59",
    "2026-01-31T23:59:59.Z",
    "2026-1-31T23:59:59Z",
    "2026-01-31T23:5a:59Z",
    "202a-01-31T23:59:59Z",
    "\\u0032026-01-31T23:59:59Z",
    "",
    "now",
    "9999-12-31T23:59:59Z",
    "2026-01-31T23:59:59ZZ",
    "2026-01-31T23:59:59.12aZ",
    "2000-02-29T12:00:00Z",
    "2100-02-29T12:00:00Z",
    "2026-04-31T12:00:00Z"
  };
  private static final String[] TEXTS = {
    "rider-000123",
    "a",
    "",
    "\uae38\ubaa9",
    "\\uae38",
    "\\ud83d\\ude00",
    "\ud83d\ude00",
    "\\ud800",
    "\\udc00x",
    "\\ud800\\u0041",
    "a\\nb",
    "a\\u0000",
    "\\u007f",
    "\u007f",
    "\u0085",
    "\\u0085",
    "a\\/b",
    "\\\"",
    "\\\\",
    "tab\\t",
    "x".repeat(128),
    "x".repeat(129),
    "\uae38".repeat(128),
    "\uae38".repeat(129),
    "x".repeat(16),
    "x".repeat(17),
    "x".repeat(64),
    "x".repeat(65),
    "gps",
    "\\x",
    "\\u12g4",
    "\\u",
    "12345678",
    "1234567",
    "123456789",
    "\\uD83D\\uDE00\\b\\f\\r"
  };

  private final Random random;
  private int calm = 4;

  Bodies(long seed) {
    random = new Random(seed);
  }

  EventKind kind() {
    return switch (random.nextInt(5)) {
      case 0 -> EventKind.ACTION;
      case 1 -> EventKind.LOG_LINE;
      default -> EventKind.POSITION;
    };
  }

  byte[] next(EventKind kind) {
    boolean array = random.nextInt(3) > 0;
    calm = random.nextBoolean() ? 4 : 80;
    StringBuilder body = new StringBuilder();
    if (random.nextInt(30) == 0) {
      body.append('\ufeff');
    }
    body.append(blank()).append(array ? "[" : "");
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      String between =
          random.nextInt(50) == 0 ? "" : array ? "," : random.nextBoolean() ? "\n" : "";
      body.append(i == 0 ? "" : between).append(blank());
      body.append(random.nextInt(25) == 0 ? value(0) : record(kind)).append(blank());
    }
    body.append(array ? "]" : "").append(blank());
    byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    for (int i = random.nextInt(5) - 2; i > 0 && bytes.length > 0; i--) {
      bytes = mutated(bytes);
    }
    return bytes;
  }

  private String record(EventKind kind) {
    StringBuilder record = new StringBuilder("{");
    String comma = "";
    for (String name : NAMES) {
      boolean needed =
          switch (name) {
            case "riderId", "at" -> true;
            case "lat", "lon" -> kind == EventKind.POSITION;
            case "type" -> kind == EventKind.ACTION;
            case "level", "message" -> kind == EventKind.LOG_LINE;
            default -> false;
          };
      if (random.nextInt(needed ? 10 * calm : 4) == 0 != needed) {
        record.append(comma).append(member(name));
        comma = ",";
      }
    }
    while (random.nextInt(calm) == 0) {
      record.append(comma).append(member(pick(random.nextBoolean() ? NAMES : OTHER_NAMES)));
      comma = ",";
    }
    return record.append(blank()).append('}').toString();
  }

  private String member(String name) {
    String value = random.nextInt(2 * calm) == 0 ? value(0) : fitting(name);
    return blank() + '"' + name + '"' + blank() + ':' + blank() + value + blank();
  }

  private String fitting(String name) {
    boolean wild = random.nextInt(calm) == 0;
    return switch (name) {
      case "at" ->
          wild
              ? random.nextBoolean() ? '"' + pick(TIMES) + '"' : pick(NUMBERS)
              : "\"2026-0"
                  + (1 + random.nextInt(9))
                  + "-1"
                  + random.nextInt(10)
                  + "T0"
                  + random.nextInt(10)
                  + ":30:2"
                  + random.nextInt(10)
                  + (random.nextBoolean() ? "" : "." + (100 + random.nextInt(900)))
                  + "Z\"";
      case "lat", "lon", "accuracy", "speed", "bearing", "altitude", "battery" ->
          wild ? pick(NUMBERS) : number(name.equals("battery") ? 1 : 90);
      case "attributes" -> object(0);
      default -> '"' + (wild ? pick(TEXTS) : "text-" + random.nextInt(100_000)) + '"';
    };
  }

  private String number(int bound) {
    double value = random.nextDouble() * bound;
    return switch (random.nextInt(4)) {
      case 0 -> Double.toString(value);
      case 1 -> Integer.toString((int) value);
      default -> String.format("%." + (1 + random.nextInt(16)) + "f", value);
    };
  }

  private String value(int depth) {
    return switch (random.nextInt(depth > 3 ? 5 : 8)) {
      case 0 -> "null";
      case 1 -> random.nextBoolean() ? "true" : "false";
      case 2 -> pick(NUMBERS);
      case 3 -> number(100);
      case 4 -> '"' + pick(random.nextBoolean() ? TEXTS : TIMES) + '"';
      case 5 -> object(depth + 1);
      case 6 -> array(depth + 1);
      default -> random.nextInt(20) == 0 ? deep() : "{}";
    };
  }

  private String deep() {
    int depth = 28 + random.nextInt(8);
    return random.nextBoolean()
        ? "[".repeat(depth) + "]".repeat(depth)
        : "{\"a\":".repeat(depth) + "1" + "}".repeat(depth);
  }

  private String object(int depth) {
    StringBuilder object = new StringBuilder("{").append(blank());
    int count = random.nextInt(200) == 0 ? 60 + random.nextInt(8) : random.nextInt(3);
    for (int i = 0; i < count; i++) {
      String name = count > 10 || calm > 4 ? "n" + i : pick(OTHER_NAMES);
      object.append(i == 0 ? "" : ",").append(blank()).append('"').append(name).append('"');
      object.append(blank()).append(':').append(value(depth)).append(blank());
    }
    return object.append('}').toString();
  }

  private String array(int depth) {
    StringBuilder array = new StringBuilder("[").append(blank());
    int count = random.nextInt(300) == 0 ? 2000 : random.nextInt(3);
    for (int i = 0; i < count; i++) {
      array.append(i == 0 ? "" : ",").append(count > 10 ? "12345678" : value(depth));
    }
    return array.append(blank()).append(']').toString();
  }

  private String blank() {
    return switch (random.nextInt(40)) {
      case 0 -> " ";
      case 1 -> "\n";
      case 2 -> "\r\n";
      case 3 -> "\t  ";
      default -> "";
    };
  }

  /** Damages the bytes in one random place. */
  byte[] mutated(byte[] bytes) {
    int at = random.nextInt(bytes.length);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, at);
    int rest = at;
    switch (random.nextInt(6)) {
      case 0 -> rest = at + 1;
      case 1 -> out.write(random.nextInt(256));
      case 2 -> {
        out.write(bytes[at] ^ 1 << random.nextInt(8));
        rest = at + 1;
      }
      case 3 -> rest = Math.min(bytes.length, at + random.nextInt(20));
      case 4 -> rest = Math.max(0, at - random.nextInt(20));
      default -> out.write("\"\\{}[],:0-.eE\n \u0000".charAt(random.nextInt(16)));
    }
    out.write(bytes, rest, bytes.length - rest);
    return out.toByteArray();
  }

  private String pick(String[] choices) {
    return choices[random.nextInt(choices.length)];
  }
}
