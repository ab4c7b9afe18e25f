package gilmok.lab.sinks;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One line of the table: what was to be reached and what was.
 *
 * @param what in words
 * @param reach the goal in words; empty where there is none
 * @param measured what was found, in words
 * @param isReached whether it reaches the goal, or has none
 * @param numbers the same and more for programs
 */
record Finding(
    String what, String reach, String measured, boolean isReached, Map<String, Object> numbers) {

  /** The value in the middle. */
  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  /** The one in the middle. */
  static <T> T median(List<T> values, Comparator<T> order) {
    return values.stream().sorted(order).toList().get(values.size() / 2);
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("what", what);
    json.put("reach", reach);
    json.put("measured", measured);
    json.put("reached", isReached);
    json.putAll(numbers);
    return json;
  }
}
