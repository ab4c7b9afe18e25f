package gilmok.lab.crash;

import java.util.ArrayList;
import java.util.List;

/**
 * What the server did that it must not do: how often, and the first of them in words. Thread-safe.
 */
public final class Violations {
  private static final int KEPT_MAX = 50;

  private final List<String> kept = new ArrayList<>();
  private long count;

  /** One more. */
  public synchronized void add(String what) {
    count++;
    if (kept.size() < KEPT_MAX) {
      kept.add(what);
    }
  }

  /** How many there are. */
  public synchronized long count() {
    return count;
  }

  /** The first of them. */
  public synchronized List<String> first() {
    return List.copyOf(kept);
  }
}
