package gilmok.config;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Flat dashed keys, such as {@code log.bytes-max}, turned into typed values. Every question notes
 * its key, its effective value and, where the value is wrong, a problem; {@link #finish} then
 * refuses all wrong and unknown keys together, so that an operator mends a file once and not line
 * by line. After a problem the fallback is answered, so that the asking can go on.
 *
 * <p>Not thread-safe: used by the thread that starts the program.
 */
public final class Settings {
  /** A key that is further from every known one than this is not taken for a slip of the pen. */
  private static final int SLIPS_MAX = 3;

  private static final String MASK = "********";

  /** What a secret's key ends with where a file holds it. */
  private static final String IN_FILE = "-file";

  private final SettingsSources sources;
  private final Map<String, String> effective = new TreeMap<>();
  private final Set<String> secrets = new TreeSet<>();
  private final Set<String> secretFiles = new TreeSet<>();
  private final List<String> problems = new ArrayList<>();
  private final Set<String> links = new TreeSet<>();

  /** Settings that are looked up in these sources. */
  public Settings(SettingsSources sources) {
    this.sources = sources;
  }

  /** Settings from one flat map. */
  public Settings(Map<String, String> given) {
    this(new SettingsSources().file(given));
  }

  /** A text; the fallback when the key is not given. */
  public String text(String key, String fallback) {
    String given = sources.value(key);
    String value = given == null ? fallback : given;
    effective.put(key, value);
    return value;
  }

  /** A text that may be missing. */
  public @Nullable String optionalText(String key) {
    String value = text(key, "");
    return value.isEmpty() ? null : value;
  }

  /**
   * A text that may be missing and is never printed, neither here nor in a problem. It is the key's
   * own value, or what a file holds that {@code <key>-file} names; not both. An empty value is
   * none, in both places.
   */
  public @Nullable String secret(String key) {
    secrets.add(key);
    String fileKey = key + IN_FILE;
    secretFiles.add(fileKey);
    String given = optionalText(key);
    String path = optionalText(fileKey);
    if (path == null) {
      return given;
    }
    if (given != null) {
      problem(key + " and " + fileKey + ": give one of them, not both");
      return given;
    }
    try {
      String held = SecretText.read(path);
      effective.put(key, held);
      return held;
    } catch (IOException unusable) {
      problem(fileKey + ": " + path + " " + unusable.getMessage());
      return null;
    }
  }

  /** A whole number from {@code min} to {@code max}. */
  public int number(String key, int fallback, int min, int max) {
    return (int) ranged(key, Integer.toString(fallback), min, max, Amounts.NUMBER);
  }

  /** An amount of bytes, as in {@code 64 MiB}; a bare number is bytes. */
  public long bytes(String key, String fallback, long min, long max) {
    return ranged(key, fallback, min, max, Amounts.BYTES);
  }

  /** A time span, as in {@code 100 ms}, {@code 30s}, {@code 7 d}; the unit is needed. */
  public Duration duration(String key, String fallback, Duration min, Duration max) {
    return Duration.ofNanos(ranged(key, fallback, min.toNanos(), max.toNanos(), Amounts.NANOS));
  }

  /** {@code true} or {@code false}. */
  public boolean flag(String key, boolean fallback) {
    String value = text(key, Boolean.toString(fallback));
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> {
        problem(key + ": \"" + value + "\" is neither true nor false");
        yield fallback;
      }
    };
  }

  /** One of an enum's constants, written small and dashed, as in {@code new-id}. */
  public <E extends Enum<E>> E choice(String key, E fallback) {
    E[] all = fallback.getDeclaringClass().getEnumConstants();
    String value = text(key, dashed(fallback));
    for (E one : all) {
      if (dashed(one).equals(value)) {
        return one;
      }
    }
    String known = String.join(", ", Arrays.stream(all).map(Settings::dashed).toList());
    problem(key + ": \"" + value + "\" is none of " + known);
    return fallback;
  }

  /** Words separated by commas or blanks; none when the key is not given. */
  public List<String> words(String key) {
    String value = text(key, "");
    return Arrays.stream(value.split("[,\\s]+")).filter(word -> !word.isEmpty()).toList();
  }

  /** The keys below a prefix that the file or the command line gives. */
  public Set<String> given(String prefix) {
    Set<String> below = new TreeSet<>(sources.keys());
    below.removeIf(key -> !key.startsWith(prefix));
    return below;
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
    List<String> all = new ArrayList<>(sources.problems());
    all.addAll(problems);
    for (String key : sources.keys()) {
      if (!effective.containsKey(key)) {
        all.add(unknown(key, effective.keySet(), "setting"));
      }
    }
    Set<String> variables = new TreeSet<>();
    effective.keySet().forEach(key -> variables.add(SettingsSources.variable(key)));
    for (String name : sources.variables()) {
      if (sources.isLink(name)) {
        links.add(name);
      } else if (!variables.contains(name)) {
        all.add(unknown(name, variables, "setting for this variable"));
      }
    }
    if (!all.isEmpty()) {
      throw new InvalidSettings(all);
    }
  }

  /**
   * Variables that are no settings, but Kubernetes' links to services; found by {@link #finish}.
   */
  public Set<String> links() {
    return Collections.unmodifiableSet(links);
  }

  /** Every key asked for with the value in force, secrets masked, in the order of the keys. */
  public Map<String, String> effective() {
    Map<String, String> shown = new TreeMap<>(effective);
    secrets.forEach(key -> shown.computeIfPresent(key, (_, text) -> text.isEmpty() ? "" : MASK));
    return Collections.unmodifiableMap(shown);
  }

  /**
   * Every key asked for with the value in force as it is, secrets too, to be compared and never
   * shown; without those that only say in which file a secret is. Given as a flat map, they are the
   * same settings.
   */
  public Map<String, String> values() {
    Map<String, String> values = new TreeMap<>(effective);
    values.keySet().removeAll(secretFiles);
    return Collections.unmodifiableMap(values);
  }

  /** A value of a key as it can be shown: masked if it is a secret's, {@code none} if empty. */
  public String shown(String key, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      return "none";
    }
    return secrets.contains(key) ? MASK : value;
  }

  private long ranged(String key, String fallback, long min, long max, Amounts amounts) {
    Long usual = amounts.read(fallback);
    if (usual == null || usual < min || usual > max) {
      throw new IllegalArgumentException(key + ": the fallback " + fallback + " is not allowed");
    }
    String value = text(key, fallback);
    Long amount = amounts.read(value);
    if (amount == null) {
      problem(key + ": cannot read \"" + value + "\" (an example: " + fallback + ")");
      return usual;
    }
    if (amount < min || amount > max) {
      problem(
          String.format(
              "%s: %s is not between %s and %s",
              key, value, amounts.write(min), amounts.write(max)));
      return usual;
    }
    return amount;
  }

  /** The name of an enum's constant as settings and answers write it. */
  public static String dashed(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String unknown(String name, Set<String> known, String what) {
    String newName = RenamedSettings.newName(name);
    if (newName != null) {
      return SettingsSources.shown(name) + ": is called " + SettingsSources.shown(newName) + " now";
    }
    String best = null;
    int bestDistance = SLIPS_MAX + 1;
    for (String candidate : known) {
      int distance = distance(name, candidate);
      if (distance < bestDistance) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return SettingsSources.shown(name)
        + ": no such "
        + what
        + (best == null ? "" : "; did you mean " + best + "?");
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
