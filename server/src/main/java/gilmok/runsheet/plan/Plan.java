package gilmok.runsheet.plan;

import java.util.List;

/**
 * An order of stops, with its proven quality. Immutable.
 *
 * @param stops the rider's stops in order, without start and end
 * @param cost the sum of all ways, including those from the start and to the end
 * @param lateness of all drop-offs together
 * @param bound a lower bound of all plans: of the cost, or of the lateness where that is the
 *     objective
 * @param optimal whether it is proven that no plan is better
 */
public record Plan(List<Stop> stops, long cost, long lateness, long bound, boolean optimal) {
  /** Copies the list. */
  public Plan {
    stops = List.copyOf(stops);
  }
}
