package gilmok.config;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Settings that had another name once. An old name is no longer read: it stops the start with the
 * new name in the message. No state.
 */
final class RenamedSettings {
  private static final Map<String, String> KEYS =
      Map.of(
          "ship.sinks", "sinks.enabled",
          "deliveries.at-work-max", "deliveries.concurrency-max",
          "missions.at-work-max", "missions.concurrency-max",
          "statements.at-work-max", "statements.concurrency-max",
          "log.repeats-max", "log.dedup-entries-max",
          "documents.mongo-wait", "documents.mongo-acquire-timeout",
          "relay.allow-private-networks", "relay.private-networks");

  /** Groups of keys that were renamed by their prefix. */
  private static final Map<String, String> FAMILIES =
      Map.of("ship.", "sinks.", "live.", "positions.");

  private static final Map<String, String> OF_VARIABLES = ofVariables(KEYS);
  private static final Map<String, String> FAMILIES_OF_VARIABLES = ofVariables(FAMILIES);

  private RenamedSettings() {}

  /**
   * The present name of a key, or of an environment variable, that was renamed; null if it was not.
   */
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
