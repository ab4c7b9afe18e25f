package gilmok.lab.sinks;

import java.util.LinkedHashMap;
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
