package gilmok.collect.dialect;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Random flat uploads: usual, unusual and broken. The same seed makes the same uploads. */
public final class FlatBodies {
  private static final String[] OTHER_NAMES = {
    "", "x", "sat", "alarm", "device", "attributesDropped", "길", "a b", "\"", "lat ", "LAT", "level"
  };
  private static final String[] VALUES = {
    "",
    "0",
    "-0",
    "1",
    "-1",
    "88.5",
    "37.4979",
    "007",
    "1e5",
    "1e-400",
    "1e999",
    "12345678901234567890",
    "NaN",
    "true",
    "false",
    "null",
    "gps",
    "길",
    "\ud83d\ude00",
    "a\u0000b",
    "\\",
    "\"",
    " r ",
    "1767225600",
    "1767225600500",
    "2147483647",
    "9999999999999",
    "2026-01-31T23:59:59Z",
    "2026-01-31 23:59:59",
    "2026-01-31T23:59:59.123+0900",
    "2026-02-30T00:00:00Z",
    "37.5,127.1",
    "91,0",
    ",",
    "1,2,3",
    "aa-bb-cc-dd-ee-ff,-60",
    "x".repeat(129),
    "y".repeat(17_000)
  };

  private final Random random;
  private final FlatName[] names = FlatName.values();

  public FlatBodies(long seed) {
    random = new Random(seed);
  }

  /** The next upload. */
  public byte[] next() {
    int kind = random.nextInt(4);
    String text = kind < 2 ? parameters() : kind == 2 ? object() : array();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int i = random.nextInt(5) - 2; i > 0 && bytes.length > 0; i--) {
      bytes = damaged(bytes);
    }
    return bytes;
  }

  private String parameters() {
    StringBuilder text = new StringBuilder();
    for (int i = count(); i > 0; i--) {
      String name = name(i);
      text.append(encoded(name)).append(random.nextInt(30) == 0 ? "" : "=");
      text.append(encoded(value(name))).append(i == 1 ? "" : "&");
    }
    return text.toString();
  }

  private String array() {
    StringBuilder text = new StringBuilder(random.nextInt(20) == 0 ? "\ufeff[" : "[");
    for (int i = random.nextInt(5); i > 0; i--) {
      text.append(random.nextInt(12) == 0 ? json("1") : object()).append(i == 1 ? "" : " , ");
    }
    return text.append(']').toString();
  }

  private String object() {
    StringBuilder text = new StringBuilder("{");
    for (int i = count(); i > 0; i--) {
      String name = name(i);
      text.append(quoted(name)).append(": ").append(json(value(name))).append(i == 1 ? "" : ",");
    }
    return text.append('}').toString();
  }

  private int count() {
    return random.nextInt(50) == 0 ? 40 + random.nextInt(300) : 3 + random.nextInt(12);
  }

  /** A random name. The indexes up to 4 usually give the names that a position needs. */
  private String name(int i) {
    if (i <= 4 && random.nextInt(20) > 0) {
      return i == 1 ? "lat" : i == 2 ? "lon" : i == 3 ? "id" : "timestamp";
    }
    int other = random.nextInt(4);
    return other == 0
        ? OTHER_NAMES[random.nextInt(OTHER_NAMES.length)]
        : other == 1 ? "n" + random.nextInt(400) : names[random.nextInt(names.length)].label;
  }

  private String value(String name) {
    if (random.nextInt(6) == 0) {
      return VALUES[random.nextInt(VALUES.length)];
    }
    return switch (name) {
      case "lat", "lon" -> Double.toString(random.nextDouble() * 180 - 90);
      case "timestamp", "time" -> Long.toString(1_767_225_600L + random.nextInt(1_000_000));
      case "id" -> "rider-" + random.nextInt(100);
      default -> Double.toString(Math.rint(random.nextDouble() * 1000) / 10);
    };
  }

  private String json(String value) {
    return switch (random.nextInt(8)) {
      case 0 -> quoted(value);
      case 1 -> random.nextBoolean() ? "null" : "true";
      case 2 ->
          random.nextBoolean() ? "[1,{\"a\":\"\\ud800\"}]" : "{\"a\":[" + quoted(value) + "]}";
      default -> PhoneNumbers.isJson(value) ? value : quoted(value);
    };
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x20 || c == '"' || c == '\\') {
        quoted.append(c < 0x10 ? "\\u000" : "\\u00").append(Integer.toHexString(c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  private String encoded(String text) {
    return random.nextInt(5) == 0 ? text : java.net.URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private byte[] damaged(byte[] bytes) {
    int at = random.nextInt(bytes.length);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, at);
    int rest = at;
    switch (random.nextInt(5)) {
      case 0 -> rest = Math.min(bytes.length, at + 1 + random.nextInt(20));
      case 1 -> out.write(random.nextInt(256));
      case 2 -> {
        out.write(bytes[at] ^ 1 << random.nextInt(8));
        rest = at + 1;
      }
      case 3 -> rest = Math.max(0, at - random.nextInt(20));
      default -> out.write("\"\\{}[],:%&=+-.eE\u0000".charAt(random.nextInt(17)));
    }
    out.write(bytes, rest, bytes.length - rest);
    return out.toByteArray();
  }
}
