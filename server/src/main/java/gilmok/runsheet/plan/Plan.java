package gilmok.runsheet.plan;

import java.util.List;

/**
 * An order of stops, and how good it is known to be.
 *
 * @param stops where the rider goes, one after the other, without start and end
 * @param cost the ways together, with those from the start and to the end
 * @param lateness how late all drop-offs are together
 * @param bound what no plan can be below: in cost, or in lateness where that is the objective
 * @param optimal whether it is proven that no plan is better
 */
public record Plan(List<Stop> stops, long cost, long lateness, long bound, boolean optimal) {
  /** Copies the list. */
  public Plan {
    stops = List.copyOf(stops);
  }
}
