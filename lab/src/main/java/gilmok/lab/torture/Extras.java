package gilmok.lab.torture;

import java.util.HashMap;
import java.util.Map;

/**
 * Records beside the {@link gilmok.lab.crash.Book}'s, known by their ids: what riders' phones say
 * of deliveries, what probes send. Thread-safe.
 */
final class Extras {
  /** By id, whether it was acknowledged. */
  private final Map<String, Boolean> acknowledged = new HashMap<>();

  private int poisoned;

  /** The id of one that a sink may refuse, put down as sent. */
  synchronized String poison() {
    String id = "poison-" + poisoned++;
    sent(id);
    return id;
  }

  synchronized void sent(String id) {
    acknowledged.putIfAbsent(id, false);
  }

  synchronized void acknowledged(String id) {
    acknowledged.put(id, true);
  }

  synchronized Map<String, Boolean> all() {
    return Map.copyOf(acknowledged);
  }
}
