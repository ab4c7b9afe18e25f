package gilmok.lab.torture;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What was put at places that hold one value each, a number that only grows: missions, and how far
 * riders are. A place is of one lane. Thread-safe.
 */
final class Puts {
  private final Map<String, Value> places = new TreeMap<>();

  /**
   * One place.
   *
   * @param answered the highest number that was answered
   * @param unsure those that had no answer: each may have been put at any time since
   */
  record Value(int answered, Set<Integer> unsure) {
    /** Whether it may hold that now. */
    boolean allows(int found) {
      return found == answered || unsure.contains(found);
    }
  }

  /** The number to be put next. */
  synchronized int ask(String place) {
    Value now = places.computeIfAbsent(place, _ -> new Value(0, new TreeSet<>()));
    int number = 1 + now.unsure.stream().reduce(now.answered, Math::max);
    now.unsure.add(number);
    return number;
  }

  synchronized void answered(String place, int number) {
    Value now = places.computeIfAbsent(place, _ -> new Value(0, new TreeSet<>()));
    now.unsure.remove(number);
    places.put(place, new Value(number, now.unsure));
  }

  synchronized Map<String, Value> all() {
    Map<String, Value> all = new TreeMap<>();
    places.forEach((place, now) -> all.put(place, new Value(now.answered, Set.copyOf(now.unsure))));
    return all;
  }
}
