package gilmok.lab.capacity;

import gilmok.http.Priority;
import gilmok.lab.load.Workload;

/**
 * One kind of requests of a scenario. Immutable.
 *
 * @param name in reports
 * @param priority that of its routes, which says what an overloaded server refuses first
 * @param share of all exchanges of the scenario, 0 to 1
 * @param requests of one exchange, each answered by itself
 * @param units what one exchange counts for, as fifty positions
 * @param lanes makes the workload of each lane
 */
record LoadFlow(
    String name, Priority priority, double share, int requests, int units, Lanes lanes) {
  /** Makes the workload of one lane of the load. */
  @FunctionalInterface
  interface Lanes {
    /**
     * The workload of a lane.
     *
     * @param lane its number, from 0
     * @param of how many lanes there are
     * @param run a text that no other run has, for ids
     */
    Workload lane(int lane, int of, String run);
  }
}
