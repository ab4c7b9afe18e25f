package gilmok.collect.json;

import gilmok.event.EventKind;
import gilmok.event.Reason;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules for one record, implemented simply. */
final class RecordOracle {
  /**
   * An event's values: numbers as doubles, the time as a long, texts, and attributes as compact
   * JSON.
   */
  record Values(Map<String, Object> fields, String attributes) {}

  private static final Map<EventKind, List<String>> REQUIRED =
      Map.of(
          EventKind.POSITION, List.of("riderId", "at", "lat", "lon"),
          EventKind.ACTION, List.of("riderId", "at", "type"),
          EventKind.LOG_LINE, List.of("riderId", "at", "level", "message"));
  private static final List<String> ORDER =
      List.of("riderId", "at", "lat", "lon", "type", "level", "message");
  private static final Map<EventKind, Set<String>> FIELDS =
      Map.of(
          EventKind.POSITION,
              Set.of(
                  "riderId at lat lon accuracy speed bearing altitude battery provider deliveryId id attributes"
                      .split(" ")),
          EventKind.ACTION, Set.of("riderId at type deliveryId lat lon id attributes".split(" ")),
          EventKind.LOG_LINE, Set.of("riderId at level message id attributes".split(" ")));
  private static final Map<String, double[]> RANGES =
      Map.of(
          "lat", new double[] {-90, 90},
          "lon", new double[] {-180, 180},
          "accuracy", new double[] {0, 1e9},
          "speed", new double[] {0, 1e9},
          "bearing", new double[] {0, 360},
          "altitude", new double[] {-12000, 100000},
          "battery", new double[] {0, 1});
  private static final Map<String, Integer> LENGTHS =
      Map.of(
          "riderId", 128, "provider", 128, "deliveryId", 128, "id", 128, "type", 64, "level", 16);
  private static final Pattern TIME =
      Pattern.compile(
          "(\\d{4})-(\\d\\d)-(\\d\\d)[Tt ](\\d\\d):(\\d\\d):(\\d\\d)(?:\\.(\\d+))?(?:[Zz]|([+-])(\\d\\d):(\\d\\d))");
  private static final long AT_MAX = 4_133_980_800_000L;

  private final EventKind kind;
  private final String text;
  private final Map<String, Object> fields = new TreeMap<>();
  private final List<String> own = new ArrayList<>();
  private final List<String> found = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final Set<String> given = new HashSet<>();
  private String field = "";
  private @Nullable String reason;

  RecordOracle(EventKind kind, String text) {
    this.kind = kind;
    this.text = text;
  }

  String field() {
    return field;
  }

  @Nullable String reason() {
    return reason;
  }

  Values values() {
    return new Values(fields, attributes());
  }

  private String attributes() {
    List<String> all = new ArrayList<>(own);
    all.addAll(found);
    return all.isEmpty() ? "" : "{" + String.join(",", all) + "}";
  }

  void judge(Tree record) {
    for (int i = 0; i < record.names().size(); i++) {
      member(record.names().get(i), record.values().get(i));
    }
    boolean half = fields.containsKey("lat") != fields.containsKey("lon");
    for (String name : ORDER) {
      boolean place = name.equals("lat") || name.equals("lon");
      boolean required = of(REQUIRED, kind).contains(name) || (place && half);
      if (required && !fields.containsKey(name)) {
        fault(name, Reason.MISSING);
      }
    }
    if (names.size() > 64) {
      fault("attributes", Reason.TOO_MANY_MEMBERS);
    }
    if (attributes().getBytes(StandardCharsets.UTF_8).length > 16384) {
      fault("attributes", Reason.TOO_LARGE);
    }
    if (new HashSet<>(names).size() < names.size()) {
      fault("attributes", Reason.GIVEN_TWICE);
    }
  }

  private static <K, V> V of(Map<K, V> map, K key) {
    return Objects.requireNonNull(map.get(key));
  }

  private void fault(String where, String why) {
    if (reason == null) {
      field = where;
      reason = why;
    }
  }

  private void member(Tree nameTree, Tree value) {
    String name = string(nameTree, "attributes");
    if (name == null || !of(FIELDS, kind).contains(name)) {
      attribute(name, value, found);
    } else if (!given.add(name)) {
      fault(name, Reason.GIVEN_TWICE);
    } else if (value.type() != 'n') {
      known(name, value);
    }
  }

  private void known(String name, Tree value) {
    if (name.equals("attributes")) {
      if (value.type() != '{') {
        fault(name, Reason.NOT_AN_OBJECT);
        return;
      }
      for (int i = 0; i < value.names().size(); i++) {
        attribute(string(value.names().get(i), name), value.values().get(i), own);
      }
    } else if (name.equals("at")) {
      time(value);
    } else if (RANGES.containsKey(name)) {
      number(name, value);
    } else {
      text(name, value);
    }
  }

  private void attribute(@Nullable String name, Tree value, List<String> target) {
    String compact = compact(value);
    if (name != null) {
      names.add(name);
      target.add(quoted(name) + ":" + compact);
    }
  }

  private void number(String name, Tree value) {
    if (value.type() != '0') {
      fault(name, Reason.NOT_A_NUMBER);
      return;
    }
    double number = Double.parseDouble(slice(value));
    double[] range = of(RANGES, name);
    if (number < range[0] || number > range[1]) {
      fault(name, Reason.OUT_OF_RANGE);
      return;
    }
    fields.put(name, number);
  }

  private void text(String name, Tree value) {
    if (value.type() != '"') {
      fault(name, Reason.NOT_A_STRING);
      return;
    }
    String string = string(value, name);
    if (string == null) {
      return;
    }
    if (name.equals("message")) {
      if (string.getBytes(StandardCharsets.UTF_8).length > 65536) {
        fault(name, Reason.TOO_LONG);
        return;
      }
    } else if (string.codePoints().anyMatch(Character::isISOControl)) {
      fault(name, Reason.CONTROL_CHARACTER);
      return;
    } else if (string.isEmpty()) {
      fault(name, Reason.EMPTY);
      return;
    } else if (string.codePointCount(0, string.length()) > of(LENGTHS, name)) {
      fault(name, Reason.TOO_LONG);
      return;
    }
    fields.put(name, string);
  }

  private void time(Tree value) {
    Long millis = null;
    if (value.type() == '"') {
      String string = string(value, "at");
      if (string == null) {
        return;
      }
      millis = millis(string);
    } else if (value.type() == '0') {
      millis = millis(bounded(slice(value)));
    }
    if (millis == null) {
      fault("at", Reason.NOT_A_TIME);
    } else if (millis < 0 || millis >= AT_MAX) {
      fault("at", Reason.OUT_OF_RANGE);
    } else {
      fields.put("at", millis);
    }
  }

  /** Parses a number, with its exponent bounded to what {@link BigDecimal} can read. */
  private static BigDecimal bounded(String number) {
    return new BigDecimal(number.replaceFirst("([eE][+-]?)0*\\d{9,}$", "$199999999"));
  }

  private static @Nullable Long millis(BigDecimal number) {
    if (number.signum() == 0) {
      return 0L;
    }
    if (number.stripTrailingZeros().scale() > 0) {
      return null;
    }
    boolean inRange =
        number.signum() > 0 && number.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) < 0;
    return inRange ? number.longValueExact() : -1;
  }

  private static @Nullable Long millis(String string) {
    Matcher m = TIME.matcher(string);
    if (!m.matches()) {
      return null;
    }
    try {
      int second = Integer.parseInt(m.group(6));
      LocalDateTime local =
          LocalDateTime.of(
              Integer.parseInt(m.group(1)),
              Integer.parseInt(m.group(2)),
              Integer.parseInt(m.group(3)),
              Integer.parseInt(m.group(4)),
              Integer.parseInt(m.group(5)),
              second == 60 ? 59 : second);
      String fraction = m.group(7) == null ? "" : m.group(7);
      long millis = second == 60 ? 999 : Integer.parseInt((fraction + "000").substring(0, 3));
      if (m.group(8) != null) {
        int hours = Integer.parseInt(m.group(9));
        int minutes = Integer.parseInt(m.group(10));
        if (hours > 23 || minutes > 59) {
          return null;
        }
        long offset = (hours * 60 + minutes) * 60_000L;
        millis -= m.group(8).equals("-") ? -offset : offset;
      }
      return local.toEpochSecond(ZoneOffset.UTC) * 1000 + millis;
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** The value as JSON without white space. Sets {@link #reason} if the value cannot be kept. */
  String compact(Tree value) {
    return switch (value.type()) {
      case '"' -> {
        String string = string(value, "attributes");
        yield string == null ? "" : quoted(string);
      }
      case '[' -> "[" + String.join(",", value.values().stream().map(this::compact).toList()) + "]";
      case '{' -> {
        List<String> members = new ArrayList<>();
        for (int i = 0; i < value.names().size(); i++) {
          members.add(compact(value.names().get(i)) + ":" + compact(value.values().get(i)));
        }
        yield "{" + String.join(",", members) + "}";
      }
      default -> slice(value);
    };
  }

  private String slice(Tree value) {
    return text.substring(value.start(), value.end());
  }

  /** Decodes a string's bytes; null, with the fault noted, if they are invalid. */
  @Nullable String string(Tree value, String where) {
    byte[] raw =
        text.substring(value.start() + 1, value.end() - 1).getBytes(StandardCharsets.ISO_8859_1);
    String escaped;
    try {
      escaped = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(raw)).toString();
    } catch (CharacterCodingException e) {
      fault(where, Reason.INVALID_UTF8);
      return null;
    }
    String string = unescaped(escaped);
    if (string.codePoints().anyMatch(c -> c >= 0xd800 && c < 0xe000)) {
      fault(where, Reason.LONE_SURROGATE);
      return null;
    }
    return string;
  }

  private static String unescaped(String escaped) {
    StringBuilder string = new StringBuilder();
    for (int i = 0; i < escaped.length(); i++) {
      char c = escaped.charAt(i);
      if (c != '\\') {
        string.append(c);
        continue;
      }
      c = escaped.charAt(++i);
      if (c == 'u') {
        string.append((char) Integer.parseInt(escaped.substring(i + 1, i + 5), 16));
        i += 4;
      } else {
        int simple = "bfnrt".indexOf(c);
        string.append(simple < 0 ? c : "\b\f\n\r\t".charAt(simple));
      }
    }
    return string.toString();
  }

  private static String quoted(String string) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      int simple = "\b\f\n\r\t\"\\".indexOf(c);
      if (simple >= 0) {
        quoted.append('\\').append("bfnrt\"\\".charAt(simple));
      } else if (c < 0x20) {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
