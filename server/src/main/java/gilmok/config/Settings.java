package gilmok.config;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The settings: flat dashed keys, such as {@code log.bytes-max}, parsed to typed values. Each
 * look-up notes the key, its value in force and, if the value is wrong, a problem. It then returns
 * the fallback, so that all keys are looked up. {@link #finish} refuses all wrong and unknown keys
 * together, so that an operator corrects a file once and not line by line.
 *
 * <p>Not thread-safe: used by the thread that starts the program.
 */
public final class Settings {
  /**
   * The largest distance between an unknown key and a known one that is suggested as its
   * correction.
   */
  private static final int SLIPS_MAX = 3;

  private static final String MASK = "********";

  /** The suffix of a key that names the file with a secret. */
  private static final String IN_FILE = "-file";

  private final SettingsSources sources;
  private final Map<String, String> effective = new TreeMap<>();

  /** Each key's fallback, in the form in which {@link #effective} has the same value. */
  private final Map<String, String> defaults = new TreeMap<>();

  private final Set<String> secrets = new TreeSet<>();
  private final Set<String> secretFiles = new TreeSet<>();
  private final List<String> problems = new ArrayList<>();
  private final Set<String> links = new TreeSet<>();

  /** Settings from these sources. */
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
    defaults.put(key, fallback);
    return value;
  }

  /** A text; null when the key is not given. */
  public @Nullable String optionalText(String key) {
    String value = text(key, "");
    return value.isEmpty() ? null : value;
  }

  /**
   * A secret text; null when it is not given. It is never printed, nor shown in a problem. It is
   * given as the key's own value or in the file that {@code <key>-file} names, but not both. An
   * empty value counts as not given, in both places.
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

  /** A duration, as in {@code 100 ms}, {@code 30s}, {@code 7 d}; the unit is required. */
  public Duration duration(String key, String fallback, Duration min, Duration max) {
    return Duration.ofNanos(ranged(key, fallback, min.toNanos(), max.toNanos(), Amounts.NANOS));
  }

  /** A time zone, as in {@code Asia/Seoul}. */
  public ZoneId zone(String key, String fallback) {
    String name = text(key, fallback);
    try {
      return ZoneId.of(name);
    } catch (DateTimeException unknown) {
      problem(key + ": \"" + name + "\" is no time zone (an example: Europe/Berlin)");
      return ZoneId.of(fallback);
    }
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

  /** One of an enum's constants, written in lower case with dashes, as in {@code new-id}. */
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

  /** The keys with a prefix that the file or the command line gives. */
  public Set<String> given(String prefix) {
    Set<String> below = new TreeSet<>(sources.keys());
    below.removeIf(key -> !key.startsWith(prefix));
    return below;
  }

  /** Notes a problem that only the caller can see, such as a relation between two values. */
  public void problem(String line) {
    problems.add(line);
  }

  /**
   * Ends the look-ups.
   *
   * @throws InvalidSettings naming every wrong value and every key that was not looked up
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
   * The variables that are Kubernetes' links to services, and no settings; found by {@link
   * #finish}.
   */
  public Set<String> links() {
    return Collections.unmodifiableSet(links);
  }

  /**
   * Every key that was looked up with its value in force, secrets masked, in the order of the keys.
   */
  public Map<String, String> effective() {
    Map<String, String> shown = new TreeMap<>(effective);
    secrets.forEach(key -> shown.computeIfPresent(key, (_, text) -> text.isEmpty() ? "" : MASK));
    return Collections.unmodifiableMap(shown);
  }

  /** Those of {@link #effective} whose value is not the default. */
  public Map<String, String> changed() {
    Map<String, String> changed = new TreeMap<>(effective());
    changed.keySet().removeIf(key -> Objects.equals(effective.get(key), defaults.get(key)));
    return Collections.unmodifiableMap(changed);
  }

  /**
   * Every key that was looked up with its value in force, secrets unmasked: for comparison only,
   * never to be shown. Keys that name the file of a secret are left out, so the map, given as flat
   * settings, yields the same settings.
   */
  public Map<String, String> values() {
    Map<String, String> values = new TreeMap<>(effective);
    values.keySet().removeAll(secretFiles);
    return Collections.unmodifiableMap(values);
  }

  /**
   * A value of a key in the form that may be shown: masked if it is a secret, {@code none} if it is
   * empty.
   */
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
    if (amount.equals(usual)) {
      defaults.put(key, value); // the same amount, written in another way
    }
    return amount;
  }

  /** The name of an enum's constant in settings and answers. */
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

  /** The Levenshtein distance between two texts. */
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
