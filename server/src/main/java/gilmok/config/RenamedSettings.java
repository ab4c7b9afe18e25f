package gilmok.config;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Settings that had another name once. An old name is not read any more: it stops the start with
 * the name to write in its place. No state.
 */
final class RenamedSettings {
  private static final Map<String, String> KEYS =
      Map.of(
          "ship.sinks", "sinks.enabled",
          "deliveries.at-work-max", "deliveries.concurrency-max",
          "missions.at-work-max", "missions.concurrency-max",
          "statements.at-work-max", "statements.concurrency-max",
          "log.repeats-max", "log.dedup-entries-max",
          "documents.mongo-wait", "documents.mongo-acquire-timeout");

  /** Whole families, by what their keys begin with. */
  private static final Map<String, String> FAMILIES =
      Map.of("ship.", "sinks.", "live.", "positions.");

  private static final Map<String, String> OF_VARIABLES = ofVariables(KEYS);
  private static final Map<String, String> FAMILIES_OF_VARIABLES = ofVariables(FAMILIES);

  private RenamedSettings() {}

  /** What a key, or a variable of the environment, is called now; null when it never was one. */
  static @Nullable String newName(String old) {
    String one = KEYS.getOrDefault(old, OF_VARIABLES.get(old));
    return one != null
        ? one
        : inFamily(old, old.indexOf('.') < 0 ? FAMILIES_OF_VARIABLES : FAMILIES);
  }

  private static @Nullable String inFamily(String old, Map<String, String> families) {
    for (Map.Entry<String, String> family : families.entrySet()) {
      if (old.startsWith(family.getKey())) {
        return family.getValue() + old.substring(family.getKey().length());
      }
    }
    return null;
  }

  private static Map<String, String> ofVariables(Map<String, String> keys) {
    Map<String, String> variables = new TreeMap<>();
    keys.forEach(
        (old, now) -> variables.put(SettingsSources.variable(old), SettingsSources.variable(now)));
    return variables;
  }
}
