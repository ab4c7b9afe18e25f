package gilmok.lab.capacity;

import gilmok.lab.LabClient;
import java.io.IOException;
import java.util.List;

/** What is sent to a server to find its limit. Immutable. */
interface LoadScenario {
  /** Its name on the command line. */
  String name();

  /** What its rate counts, as in "positions". */
  String unit();

  /** The p99 that it must keep if the user names none, in milliseconds. */
  double usualP99Millis();

  /** The data and the arrivals, in words, for the report. */
  String data();

  /** Writes what its requests read. It takes seconds. */
  default void prepare(LabClient client) throws IOException, InterruptedException {}

  /**
   * Its flows, whose shares are 1 together.
   *
   * @param key the API key that they send
   */
  List<LoadFlow> flows(String key);

  /** The units of one exchange, on average. */
  default double unitsEach(List<LoadFlow> flows) {
    return flows.stream().mapToDouble(flow -> flow.share() * flow.units()).sum();
  }
}
