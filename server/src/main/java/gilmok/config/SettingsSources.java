package gilmok.config;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The sources of settings. The environment overrides the file, and the command line overrides both.
 * Faults of their form are kept as problems; {@link Settings#finish} reports them with all others.
 *
 * <p>A variable such as {@code GILMOK_LOG_BYTES_MAX} could mean {@code log.bytes-max} or {@code
 * log-bytes.max}. So it is never turned into a key, but looked up when a key is.
 *
 * <p>Not thread-safe: used by the thread that starts the program.
 */
public final class SettingsSources {
  private static final String PREFIX = "GILMOK_";

  /**
   * Variables with our prefix that need not be settings: the launcher and other commands read them.
   */
  private static final Set<String> ELSEWHERE =
      Set.of(
          "GILMOK_ADMIN_KEY",
          "GILMOK_KEY",
          "GILMOK_URL",
          "GILMOK_CA",
          "GILMOK_HOME",
          "GILMOK_OPTS");

  private static final String ELSEWHERE_PREFIX = "GILMOK_TEST_";

  /**
   * The variables by which Kubernetes, and Docker's links before it, tell each container where the
   * services of its namespace are: {@code GILMOK_SERVICE_HOST}, {@code GILMOK_PORT_8080_TCP_ADDR}
   * for a service named gilmok, {@code GILMOK_ADMIN_SERVICE_PORT_HTTP} for gilmok-admin.
   */
  private static final Pattern LINK =
      Pattern.compile(
          "GILMOK_(\\w+_)?(SERVICE_HOST|SERVICE_PORT(_\\w+)?"
              + "|PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)");

  /**
   * Names such as {@code GILMOK_PORT} and {@code GILMOK_HTTP_PORT}, which may be a setting's or a
   * link's; the value tells which.
   */
  private static final Pattern LINK_PORT = Pattern.compile("GILMOK_(\\w+_)?PORT");

  /** A character that is in no key and in no variable's name. */
  private static final Pattern NO_KEY = Pattern.compile("[^\\w.-]");

  private static final Pattern LINK_VALUE = Pattern.compile("(tcp|udp|sctp)://.+:\\d+");

  private final Map<String, String> file = new LinkedHashMap<>();
  private final Map<String, String> environment = new TreeMap<>();
  private final Map<String, String> options = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();

  /**
   * Sets the file, as its parser returned it: nested maps of texts, numbers, booleans and lists of
   * them.
   */
  public SettingsSources file(Map<?, ?> tree) {
    flatten("", tree);
    return this;
  }

  /** Sets the process's environment; variables without the prefix {@code GILMOK_} are ignored. */
  public SettingsSources environment(Map<String, String> variables) {
    variables.forEach(
        (name, value) -> {
          if (name.startsWith(PREFIX)) {
            environment.put(name, value);
          }
        });
    return this;
  }

  /** Adds one {@code key=value} of the command line; the later of two for one key wins. */
  public SettingsSources option(String assignment) {
    int equals = assignment.indexOf('=');
    if (equals <= 0) {
      problems.add("--set: \"" + assignment + "\" is not key=value");
      return this;
    }
    return option(assignment.substring(0, equals).strip(), assignment.substring(equals + 1));
  }

  /** Adds a setting that has an option of its own on the command line. */
  public SettingsSources option(String key, String value) {
    options.put(key, value.strip());
    return this;
  }

  /** The name of the environment variable for a key. */
  public static String variable(String key) {
    return PREFIX + key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** The value in force; null when no source gives the key. */
  @Nullable String value(String key) {
    String value = options.get(key);
    String variable = variable(key);
    if (value == null && !isLink(variable)) {
      value = environment.get(variable);
    }
    return value == null ? file.get(key) : value.strip();
  }

  /** The keys of the file and the command line. */
  Set<String> keys() {
    TreeSet<String> keys = new TreeSet<>(file.keySet());
    keys.addAll(options.keySet());
    return keys;
  }

  /** The environment variables that should be settings. */
  Set<String> variables() {
    TreeSet<String> names = new TreeSet<>(environment.keySet());
    names.removeIf(name -> ELSEWHERE.contains(name) || name.startsWith(ELSEWHERE_PREFIX));
    return names;
  }

  /** Whether a variable is a link to a service, set by Kubernetes, rather than a setting. */
  boolean isLink(String name) {
    return LINK.matcher(name).matches()
        || (LINK_PORT.matcher(name).matches()
            && LINK_VALUE.matcher(environment.getOrDefault(name, "")).matches());
  }

  List<String> problems() {
    return problems;
  }

  /**
   * The part of an alleged key that may be shown: up to the first character that no key has. A slip
   * may have put a value there, and the value can be a secret.
   */
  static String shown(String key) {
    Matcher odd = NO_KEY.matcher(key);
    return odd.find() ? key.substring(0, odd.start()) + "…" : key;
  }

  private void flatten(String prefix, Map<?, ?> tree) {
    tree.forEach(
        (name, value) -> {
          String key = prefix + name;
          if (!(name instanceof String)) {
            problems.add(shown(key) + ": a key must be a text");
          } else if (value instanceof Map<?, ?> below) {
            flatten(key + ".", below);
          } else {
            String text = value instanceof List<?> list ? listed(key, list) : scalar(key, value);
            if (text != null && file.put(key, text) != null) {
              problems.add(shown(key) + ": is given twice");
            }
          }
        });
  }

  private @Nullable String listed(String key, List<?> list) {
    List<String> texts = new ArrayList<>();
    for (Object element : list) {
      String text = scalar(key, element);
      if (text == null) {
        return null;
      }
      if (text.isEmpty() || text.chars().anyMatch(c -> c == ',' || Character.isWhitespace(c))) {
        problems.add(
            shown(key) + ": an element of a list must be one word, without blank or comma");
        return null;
      }
      texts.add(text);
    }
    return String.join(",", texts);
  }

  private @Nullable String scalar(String key, @Nullable Object value) {
    return switch (value) {
      case String text -> text.strip();
      case Boolean truth -> truth.toString();
      case Double number when Double.isFinite(number) ->
          BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
      case Number number -> number.toString();
      case null -> wrong(key, "has no value");
      case Map<?, ?> _, List<?> _ -> wrong(key, "a list can hold texts and numbers only");
      default -> wrong(key, "cannot be used: a text, a number, true or false is needed");
    };
  }

  private @Nullable String wrong(String key, String reason) {
    problems.add(shown(key) + ": " + reason);
    return null;
  }
}
