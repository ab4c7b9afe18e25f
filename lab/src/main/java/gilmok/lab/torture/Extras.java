package gilmok.lab.torture;

import java.util.HashMap;
import java.util.Map;

/**
 * Records besides those of the {@link gilmok.lab.crash.Book}, identified by their ids: actions of
 * riders on deliveries, and records of probes. Thread-safe.
 */
final class Extras {
  /** Whether each record was acknowledged, by id. */
  private final Map<String, Boolean> acknowledged = new HashMap<>();

  private int poisoned;

  /** Makes the id of a record that a sink may refuse, and notes it as sent. */
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
