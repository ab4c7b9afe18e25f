package gilmok.history;

/**
 * One log line of an app. Immutable.
 *
 * @param json as it is answered
 */
record FoundLine(Place place, String json) {
  /** About how much memory it takes. */
  int bytes() {
    return 100 + json.length();
  }
}
