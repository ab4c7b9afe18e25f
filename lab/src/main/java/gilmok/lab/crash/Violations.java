package gilmok.lab.crash;

import java.util.ArrayList;
import java.util.List;

/** What the server did that it must not do: how often, and the first of them in words. */
final class Violations {
  private static final int KEPT_MAX = 50;

  private final List<String> kept = new ArrayList<>();
  private long count;

  synchronized void add(String what) {
    count++;
    if (kept.size() < KEPT_MAX) {
      kept.add(what);
    }
  }

  synchronized long count() {
    return count;
  }

  synchronized List<String> first() {
    return List.copyOf(kept);
  }
}
