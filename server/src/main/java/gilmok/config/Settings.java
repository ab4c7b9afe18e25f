package gilmok.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Flat dashed keys, such as {@code log.bytes-max}, turned into typed values. Every question notes
 * its key, its effective value and, where the value is wrong, a problem; {@link #finish} then
 * refuses all wrong and unknown keys together, so that an operator mends a file once and not line
 * by line.
 *
 * <p>Not thread-safe: used by the thread that starts the program.
 */
public final class Settings {
  private static final Pattern AMOUNT = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([A-Za-z]*)");

  private final Map<String, String> given;
  private final Map<String, String> effective = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();

  /** Settings from one flat map, the later sources having been laid over the earlier ones. */
  public Settings(Map<String, String> given) {
    this.given = new TreeMap<>(given);
  }

  /** A text; the fallback when the key is not given. */
  public String text(String key, String fallback) {
    return note(key, given.getOrDefault(key, fallback));
  }

  /** A text that may be missing. */
  public @Nullable String optionalText(String key) {
    String value = given.get(key);
    note(key, value == null ? "" : value);
    return value == null || value.isEmpty() ? null : value;
  }

  /** A text that is never printed. */
  public @Nullable String secret(String key) {
    String value = given.get(key);
    effective.put(key, value == null ? "" : "********");
    return value == null || value.isEmpty() ? null : value;
  }

  /** A whole number from {@code min} to {@code max}. */
  public int number(String key, int fallback, int min, int max) {
    return (int) ranged(key, Integer.toString(fallback), min, max, Settings::wholeNumber, "");
  }

  /** An amount of bytes, as in {@code 64 MiB}; a bare number is bytes. */
  public long bytes(String key, String fallback, long min, long max) {
    return ranged(key, fallback, min, max, Settings::bytesOf, " bytes");
  }

  /** A time span, as in {@code 100 ms}, {@code 30s}, {@code 7 d}; the unit is needed. */
  public Duration duration(String key, String fallback, Duration min, Duration max) {
    return Duration.ofNanos(
        ranged(key, fallback, min.toNanos(), max.toNanos(), Settings::nanosOf, " ns"));
  }

  /** {@code true} or {@code false}. */
  public boolean flag(String key, boolean fallback) {
    String value = note(key, given.getOrDefault(key, Boolean.toString(fallback)));
    if (!value.equals("true") && !value.equals("false")) {
      problems.add(key + ": \"" + value + "\" is neither true nor false");
    }
    return value.equals("true");
  }

  /** One of an enum's constants, written small and dashed, as in {@code new-id}. */
  public <E extends Enum<E>> E choice(String key, E fallback) {
    E[] all = fallback.getDeclaringClass().getEnumConstants();
    String value = note(key, given.getOrDefault(key, dashed(fallback)));
    for (E one : all) {
      if (dashed(one).equals(value)) {
        return one;
      }
    }
    problems.add(
        key
            + ": \""
            + value
            + "\" is none of "
            + String.join(", ", Arrays.stream(all).map(Settings::dashed).toList()));
    return fallback;
  }

  /** Words separated by commas or blanks; none when the key is not given. */
  public List<String> words(String key) {
    String value = note(key, given.getOrDefault(key, ""));
    return Arrays.stream(value.split("[,\\s]+")).filter(word -> !word.isEmpty()).toList();
  }

  /** Notes something wrong that only the asker can see, such as a relation between two values. */
  public void problem(String line) {
    problems.add(line);
  }

  /**
   * All that was asked has been asked.
   *
   * @throws InvalidSettings naming every wrong value and every key nobody asked for
   */
  public void finish() {
    TreeSet<String> unknown = new TreeSet<>(given.keySet());
    unknown.removeAll(effective.keySet());
    List<String> all = new ArrayList<>(problems);
    for (String key : unknown) {
      String near = nearest(key);
      all.add(key + ": no such setting" + (near == null ? "" : "; did you mean " + near + "?"));
    }
    if (!all.isEmpty()) {
      throw new InvalidSettings(all);
    }
  }

  /** Every key asked for with the value in force, secrets masked, in the order of the keys. */
  public Map<String, String> effective() {
    return effective;
  }

  private String note(String key, String value) {
    effective.put(key, value);
    return value;
  }

  private long ranged(
      String key,
      String fallback,
      long min,
      long max,
      Function<String, @Nullable Long> reading,
      String unit) {
    String value = note(key, given.getOrDefault(key, fallback));
    Long amount = reading.apply(value.strip());
    if (amount == null) {
      problems.add(key + ": cannot read \"" + value + "\" (an example: " + fallback + ")");
      return min;
    }
    if (amount < min || amount > max) {
      problems.add(key + ": " + value + " is not between " + min + " and " + max + unit);
      return min;
    }
    return amount;
  }

  private static @Nullable Long wholeNumber(String text) {
    return text.matches("-?\\d{1,18}") ? Long.valueOf(text) : null;
  }

  private static @Nullable Long bytesOf(String text) {
    return scaled(
        text,
        unit ->
            switch (unit.toLowerCase(Locale.ROOT)) {
              case "", "b" -> 1L;
              case "kib" -> 1L << 10;
              case "mib" -> 1L << 20;
              case "gib" -> 1L << 30;
              case "tib" -> 1L << 40;
              case "kb" -> 1_000L;
              case "mb" -> 1_000_000L;
              case "gb" -> 1_000_000_000L;
              case "tb" -> 1_000_000_000_000L;
              default -> null;
            });
  }

  private static @Nullable Long nanosOf(String text) {
    return scaled(
        text,
        unit ->
            switch (unit) {
              case "us" -> 1_000L;
              case "ms" -> 1_000_000L;
              case "s" -> 1_000_000_000L;
              case "m", "min" -> 60_000_000_000L;
              case "h" -> 3_600_000_000_000L;
              case "d" -> 86_400_000_000_000L;
              default -> null;
            });
  }

  private static @Nullable Long scaled(String text, Function<String, @Nullable Long> units) {
    Matcher matcher = AMOUNT.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    Long unit = units.apply(matcher.group(2));
    double amount = unit == null ? -1 : Double.parseDouble(matcher.group(1)) * unit;
    return amount < 0 || amount > Long.MAX_VALUE / 2 ? null : (Long) (long) amount;
  }

  private static String dashed(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private @Nullable String nearest(String key) {
    String best = null;
    int bestDistance = 4;
    for (String known : effective.keySet()) {
      int distance = distance(key, known);
      if (distance < bestDistance) {
        best = known;
        bestDistance = distance;
      }
    }
    return best;
  }

  /** Levenshtein's distance between two texts. */
  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    Arrays.setAll(row, i -> i);
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[other.length()];
  }
}
