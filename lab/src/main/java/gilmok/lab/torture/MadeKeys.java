package gilmok.lab.torture;

import java.util.ArrayList;
import java.util.List;

/** The API keys that were made and revoked. Thread-safe. */
final class MadeKeys {
  private final List<Made> good = new ArrayList<>();
  private final List<Made> revoked = new ArrayList<>();
  private int next;

  /** One of them. */
  record Made(String id, String key) {}

  synchronized String name() {
    return "torture-" + next++;
  }

  synchronized void made(Made key) {
    good.add(key);
  }

  /** One to be revoked, of which is not known any more whether it is good. */
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
