package gilmok.lab.torture;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Values that were put at places which hold one each, missions and riders' progress; each is a
 * number that only grows. A place belongs to one lane. Thread-safe.
 */
final class Puts {
  private final Map<String, Value> places = new TreeMap<>();

  /**
   * The possible values of a place.
   *
   * @param answered the highest number that was acknowledged
   * @param unsure the numbers without a response: each may have been stored at any time since
   */
  record Value(int answered, Set<Integer> unsure) {
    /** Whether the place may hold a number now. */
    boolean allows(int found) {
      return found == answered || unsure.contains(found);
    }
  }

  /** The next number to put. */
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
