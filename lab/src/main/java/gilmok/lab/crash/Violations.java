package gilmok.lab.crash;

import java.util.ArrayList;
import java.util.List;

/**
 * The promises that the server broke: their number, and a description of the first ones.
 * Thread-safe.
 */
public final class Violations {
  private static final int KEPT_MAX = 50;

  private final List<String> kept = new ArrayList<>();
  private long count;

  /** Adds one. */
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

  /** The descriptions of the first ones. */
  public synchronized List<String> first() {
    return List.copyOf(kept);
  }
}
