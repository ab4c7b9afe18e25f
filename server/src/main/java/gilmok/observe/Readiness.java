package gilmok.observe;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * What the server still lacks to be sent traffic: parts, each with its reason. It is ready when no
 * part lacks anything. Thread-safe.
 */
public final class Readiness {
  private final ConcurrentSkipListMap<String, String> missing = new ConcurrentSkipListMap<>();

  /** Not ready until each of these parts says so. */
  public Readiness(String... parts) {
    for (String part : parts) {
      missing.put(part, "starting");
    }
  }

  /** This part lacks nothing, any more. */
  public void ready(String part) {
    missing.remove(part);
  }

  /**
   * This part cannot do its work.
   *
   * @param reason why, in a few words for the operator
   */
  public void notReady(String part, String reason) {
    missing.put(part, reason);
  }

  /** Whether nothing is missing. */
  public boolean ready() {
    return missing.isEmpty();
  }

  /** The parts that are not ready with their reasons, as they are now, by name. */
  public Map<String, String> missing() {
    return Collections.unmodifiableMap(new TreeMap<>(missing));
  }
}
