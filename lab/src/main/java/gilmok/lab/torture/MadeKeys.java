package gilmok.lab.torture;

import java.util.ArrayList;
import java.util.List;

/** The API keys that were made, and those that were revoked. Thread-safe. */
final class MadeKeys {
  private final List<Made> good = new ArrayList<>();
  private final List<Made> revoked = new ArrayList<>();
  private int next;

  /** An API key. */
  record Made(String id, String key) {}

  synchronized String name() {
    return "torture-" + next++;
  }

  synchronized void made(Made key) {
    good.add(key);
  }

  /** Takes the oldest key, to be revoked. From then on it is unknown whether it is valid. */
  synchronized Made takeOldest() {
    return good.removeFirst();
  }

  synchronized void revoked(Made key) {
    revoked.add(key);
  }

  synchronized List<Made> good() {
    return List.copyOf(good);
  }

  synchronized List<Made> revoked() {
    return List.copyOf(revoked);
  }
}
