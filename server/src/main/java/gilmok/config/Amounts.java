package gilmok.config;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses and writes numbers with units: {@code 64 MiB}, {@code 100 ms}, {@code 12}.
 *
 * @param units from the largest to the smallest; of units with equal values the first is written
 */
record Amounts(Map<String, Long> units) {
  static final Amounts NUMBER = new Amounts(Map.of("", 1L));
  static final Amounts BYTES = new Amounts(bytes());
  static final Amounts NANOS = new Amounts(nanos());

  private static final Pattern AMOUNT =
      Pattern.compile("(-?\\d{1,18}(?:\\.\\d{1,9})?)\\s*([A-Za-z]*)");

  /**
   * The amount in the smallest unit; null when the text cannot be parsed, or is no whole number of
   * that unit.
   */
  @Nullable Long read(String text) {
    Matcher matcher = AMOUNT.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    Long unit = units.get(matcher.group(2).toLowerCase(Locale.ROOT));
    if (unit == null) {
      return null;
    }
    BigDecimal amount = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
    boolean whole = amount.stripTrailingZeros().scale() <= 0;
    return whole && amount.precision() - amount.scale() <= 18 ? (Long) amount.longValue() : null;
  }

  /** The amount in the largest unit that divides it, as people write it. */
  String write(long amount) {
    for (Map.Entry<String, Long> unit : units.entrySet()) {
      if (amount != 0 && amount % unit.getValue() == 0) {
        return (amount / unit.getValue() + " " + spelled(unit.getKey())).strip();
      }
    }
    return Long.toString(amount);
  }

  private static String spelled(String unit) {
    return unit.endsWith("ib")
        ? unit.substring(0, 1).toUpperCase(Locale.ROOT) + "iB"
        : unit.endsWith("b") ? unit.toUpperCase(Locale.ROOT) : unit;
  }

  private static Map<String, Long> bytes() {
    Map<String, Long> units = new LinkedHashMap<>();
    units.put("tib", 1L << 40);
    units.put("gib", 1L << 30);
    units.put("mib", 1L << 20);
    units.put("kib", 1L << 10);
    units.put("tb", 1_000_000_000_000L);
    units.put("gb", 1_000_000_000L);
    units.put("mb", 1_000_000L);
    units.put("kb", 1_000L);
    units.put("b", 1L);
    units.put("", 1L);
    return units;
  }

  private static Map<String, Long> nanos() {
    Map<String, Long> units = new LinkedHashMap<>();
    units.put("d", 86_400_000_000_000L);
    units.put("h", 3_600_000_000_000L);
    units.put("min", 60_000_000_000L);
    units.put("m", 60_000_000_000L);
    units.put("s", 1_000_000_000L);
    units.put("ms", 1_000_000L);
    units.put("us", 1_000L);
    units.put("ns", 1L);
    return units;
  }
}
