package gilmok.http;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How hard each route's answers are compressed. Immutable.
 *
 * @param isOn whether this server compresses at all; a proxy in front of it may do so instead
 * @param usual the level of routes that have none of their own: 0 (off) to 9
 * @param levels levels of single routes, by method and path as in {@code GET
 *     /v1/riders/{id}/position}
 */
public record CompressionLevels(boolean isOn, int usual, Map<String, Integer> levels) {
  /** The highest level: the slowest, with the smallest result. */
  public static final int LEVEL_MAX = 9;

  /** Nothing is compressed. */
  public static final CompressionLevels OFF = new CompressionLevels(false, 0, Map.of());

  private static final String LEVELS = "http.compression-levels";
  private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "DELETE");

  /** The values of {@code http.compression}. */
  private enum Switch {
    ON,
    OFF
  }

  /** Copies the map. */
  public CompressionLevels {
    levels = Map.copyOf(levels);
  }

  /** Reads the keys {@code http.compression*}. */
  static CompressionLevels from(Settings settings) {
    return new CompressionLevels(
        settings.choice("http.compression", Switch.ON) == Switch.ON,
        settings.number("http.compression-level", 1, 0, LEVEL_MAX),
        levels(settings));
  }

  /**
   * Reads the levels of single routes, such as {@code GET /metrics=6}; the blank divides each of
   * them into two words.
   */
  private static Map<String, Integer> levels(Settings settings) {
    Map<String, Integer> levels = new HashMap<>();
    String method = "";
    for (String word : settings.words(LEVELS)) {
      boolean isMethod = METHODS.contains(word);
      Integer level = method.isEmpty() ? null : level(word);
      if (isMethod == method.isEmpty() && (isMethod || level != null)) {
        String route = isMethod ? "" : method + " " + word.substring(0, word.lastIndexOf('='));
        if (level != null && levels.put(route, level) != null) {
          settings.problem(LEVELS + ": " + route + " is there twice");
        }
        method = isMethod ? word : "";
      } else {
        String shown = (method + " " + word).strip();
        settings.problem(
            LEVELS + ": cannot read \"" + shown + "\" (an example: GET /metrics=6, 0 to 9)");
        method = isMethod ? word : "";
      }
    }
    if (!method.isEmpty()) {
      settings.problem(LEVELS + ": " + method + " without a path and its level");
    }
    return levels;
  }

  /**
   * The level behind a path, as in {@code /metrics=6}; null when there is none that can be read.
   */
  private static @Nullable Integer level(String word) {
    int digit = word.length() - 1;
    boolean isOne =
        word.startsWith("/")
            && digit > 1
            && word.charAt(digit - 1) == '='
            && word.charAt(digit) >= '0'
            && word.charAt(digit) <= '0' + LEVEL_MAX;
    return isOne ? word.charAt(digit) - '0' : null;
  }

  /**
   * The level of a route's answers: 0 (off) to 9; 0 when compression is off.
   *
   * @param path the route's, as in {@code /v1/riders/{id}/position}
   */
  public int level(String method, String path) {
    return level(method, path, usual);
  }

  /**
   * The level of a route whose answers cost more, or less, than others to compress.
   *
   * @param unlessSet the level when the settings name none for the route
   */
  public int level(String method, String path, int unlessSet) {
    return isOn ? levels.getOrDefault(method + " " + path, unlessSet) : 0;
  }

  /**
   * Checks that each route with a level exists.
   *
   * @throws InvalidSettings naming each route that has a level but does not exist
   */
  public void check(List<Route> routes) {
    Set<String> known = new HashSet<>();
    for (Route route : routes) {
      known.add(route.method() + " " + route.path());
    }
    List<String> problems = new ArrayList<>();
    for (String route : new TreeMap<>(levels).keySet()) {
      if (!known.contains(route)) {
        problems.add(
            LEVELS
                + ": this server has no route "
                + route
                + "; take it out, or write it as openapi.yaml does (\"only\" leaves parts off)");
      }
    }
    if (!problems.isEmpty()) {
      throw new InvalidSettings(problems);
    }
  }
}
