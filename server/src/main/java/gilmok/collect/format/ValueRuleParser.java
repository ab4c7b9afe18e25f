package gilmok.collect.format;

import gilmok.collect.dialect.PhoneNumbers;
import gilmok.collect.format.Format.Content;
import gilmok.collect.format.Format.Shape;
import gilmok.collect.json.JsonPointers;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads how one value of a declaration is found and spelled. Not thread-safe: part of its faults.
 */
final class ValueRuleParser {
  private static final String TIME_LETTERS = "uyMdHmsSXxZ";
  private static final Set<String> MEMBERS =
      Set.of("from", "constant", "unit", "factor", "pattern", "zone", "values", "unknown");
  private static final Set<String> CREDENTIALS =
      Set.of("x-api-key", "authorization", "proxy-authorization", "cookie");
  private static final Map<String, Double> TIMES =
      Map.of("s", 1.0, "ms", 1e3, "us", 1e6, "ns", 1e9);

  private final FormatFaults faults;
  private final Shape shape;
  private final Set<String> segments;

  /**
   * @param faults takes the problems
   * @param segments the names of the path's segments in braces
   */
  ValueRuleParser(FormatFaults faults, Shape shape, Set<String> segments) {
    this.faults = faults;
    this.shape = shape;
    this.segments = segments;
  }

  /**
   * Reads a rule.
   *
   * @param at the entry's name in problems
   * @param given what the declaration has there
   */
  ValueRule parse(String at, FieldTraits field, @Nullable Object given) {
    Map<?, ?> tree = given instanceof Map<?, ?> map ? map : Map.of();
    String from = given instanceof Map<?, ?> ? faults.text(tree, at + ".", "from") : null;
    String constant = faults.text(tree, at + ".", "constant");
    if (given instanceof Map<?, ?>) {
      faults.only(at + ".", tree, MEMBERS);
      if ((from == null) == (constant == null)) {
        faults.problem(at, "needs either from or constant");
      }
    } else {
      from = given == null ? null : given.toString();
    }
    if (constant != null && field.isNumber() && Double.isNaN(PhoneNumbers.of(constant))) {
      faults.problem(at + ".constant", "is \"" + constant + "\", which is not a number");
    }
    ValueSource source =
        constant != null
            ? new ValueSource.Constant(constant)
            : source(at, field, from == null ? "" : from);
    return new ValueRule(
        source,
        factor(at, field, tree),
        time(at, field, tree),
        values(at, field, tree),
        faults.text(tree, at + ".", "unknown"));
  }

  private ValueSource source(String at, FieldTraits field, String from) {
    int colon = from.indexOf(':');
    String rest = from.substring(colon + 1);
    switch (from.startsWith("/") ? "/" : from.substring(0, Math.max(0, colon))) {
      case "/" -> {
        String fault = JsonPointers.fault(from);
        if (fault != null) {
          faults.problem(at, fault);
        }
        boolean isFlat = shape.content() == Content.FORM || shape.content() == Content.CSV;
        if (isFlat && from.indexOf('/', 1) > 0) {
          faults.problem(
              at,
              "\""
                  + from
                  + "\": a "
                  + shape.content().name().toLowerCase(Locale.ROOT)
                  + " has names only, as in /lat");
        }
        return new ValueSource.InRecord(from);
      }
      case "body" -> {
        String faultOfRest = JsonPointers.fault(rest);
        if (shape.content() != Content.JSON || shape.records().isEmpty()) {
          faults.problem(
              at, "body: is for content json with records only; write the pointer alone");
        } else if (faultOfRest != null) {
          faults.problem(at, faultOfRest);
        }
        return new ValueSource.InBody(rest);
      }
      case "header" -> {
        if (!rest.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}")) {
          faults.problem(at, "\"" + rest + "\" is no name of a header");
        } else if (CREDENTIALS.contains(rest.toLowerCase(Locale.ROOT))) {
          faults.problem(at, "the header " + rest + " has a key, which is not stored");
        }
        return new ValueSource.Header(rest);
      }
      case "query" -> {
        return new ValueSource.Query(rest);
      }
      case "path" -> {
        if (!segments.contains(rest)) {
          faults.problem(at, "the path has no {" + rest + "}");
        }
        return new ValueSource.Segment(rest);
      }
      default -> {
        if (!from.equals("arrival") || !field.isTime()) {
          faults.problem(
              at,
              "is read from \""
                  + from
                  + "\", which must begin with / (in the record), body:,"
                  + " header:, query: or path:"
                  + (field.isTime() ? ", or be arrival" : ""));
        }
        return new ValueSource.Arrival();
      }
    }
  }

  private double factor(String at, FieldTraits field, Map<?, ?> tree) {
    Object given = tree.get("factor");
    String unit = faults.text(tree, at + ".", "unit");
    if (given != null && unit != null) {
      faults.problem(at, "give unit or factor, not both");
    }
    if (given != null) {
      boolean isNumber =
          given instanceof Number number
              && number.doubleValue() != 0
              && Double.isFinite(number.doubleValue());
      if (!isNumber || !field.isNumber()) {
        faults.problem(
            at + ".factor", "must be a number other than 0, for a field that is a number");
        return 1;
      }
      return ((Number) given).doubleValue();
    }
    if (unit == null || field.isTime()) {
      return 1;
    }
    return unit(at, unit, field.units());
  }

  private double unit(String at, String unit, Map<String, Double> units) {
    Double factor = units.get(unit);
    if (factor == null) {
      faults.problem(
          at + ".unit",
          units.isEmpty()
              ? "this field has none"
              : "is \""
                  + unit
                  + "\", none of "
                  + units.keySet().stream().sorted().collect(Collectors.joining(", ")));
      return 1;
    }
    return factor;
  }

  private TimeForm time(String at, FieldTraits field, Map<?, ?> tree) {
    String pattern = faults.text(tree, at + ".", "pattern");
    String zone = faults.text(tree, at + ".", "zone");
    String unit = faults.text(tree, at + ".", "unit");
    if (!field.isTime()) {
      if (pattern != null || zone != null) {
        faults.problem(at, "pattern and zone are for times");
      }
      return TimeForm.USUAL;
    }
    if (unit != null && (pattern != null || zone != null)) {
      faults.problem(at, "a unit is for numbers, pattern and zone are for texts");
    }
    if (pattern == null && zone == null && unit == null) {
      return TimeForm.USUAL;
    }
    return new TimeForm(
        unit == null ? 0 : unit(at, unit, TIMES),
        pattern == null ? null : formatter(at, pattern),
        zone == null ? ZoneOffset.UTC : zone(at, zone));
  }

  private @Nullable DateTimeFormatter formatter(String at, String pattern) {
    String bare = pattern.replaceAll("'[^']*'", "");
    for (int i = 0; i < bare.length(); i++) {
      char letter = bare.charAt(i);
      if (Character.isLetter(letter) && TIME_LETTERS.indexOf(letter) < 0) {
        faults.problem(
            at + ".pattern", "has the letter " + letter + "; there are u y M d H m s S X x Z");
        return null;
      }
    }
    if (!bare.matches("(?s).*[uy].*") || !bare.contains("M") || !bare.contains("d")) {
      faults.problem(at + ".pattern", "needs year, month and day, as in yyyy-MM-dd HH:mm:ss");
    }
    try {
      return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH);
    } catch (IllegalArgumentException wrong) {
      faults.problem(at + ".pattern", "is none of Java's: " + wrong.getMessage());
      return null;
    }
  }

  private ZoneId zone(String at, String zone) {
    try {
      return ZoneId.of(zone);
    } catch (DateTimeException unknown) {
      faults.problem(at + ".zone", "\"" + zone + "\" is no time zone, as Asia/Seoul is");
      return ZoneOffset.UTC;
    }
  }

  private Map<String, String> values(String at, FieldTraits field, Map<?, ?> tree) {
    Object given = tree.get("values");
    Map<String, String> values = new HashMap<>();
    if (given instanceof Map<?, ?> map && field.isText()) {
      map.forEach((sent, meant) -> values.put(String.valueOf(sent), String.valueOf(meant)));
    } else if (given != null) {
      faults.problem(at + ".values", "must be sent: meant, for a field that is a text");
    }
    return values;
  }
}
