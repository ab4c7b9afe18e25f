package gilmok.lab.sinks;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One line of the table: a goal and its measured value.
 *
 * @param what what is measured, in words
 * @param reach the goal, in words; empty if there is none
 * @param measured the measured value, in words
 * @param isReached whether the goal was reached, or there is none
 * @param numbers the same values and more, for programs
 */
record ShipFinding(
    String what, String reach, String measured, boolean isReached, Map<String, Object> numbers) {

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
