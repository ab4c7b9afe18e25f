package gilmok.lab.capacity;

import gilmok.http.Priority;
import gilmok.lab.load.PositionsWorkload;
import java.util.List;

/**
 * Phones' positions in our own form, each with a new place and time.
 *
 * @param positions in each request
 * @param riders whose positions they are, in turn
 */
record CollectScenario(int positions, int riders) implements LoadScenario {
  @Override
  public String name() {
    return positions == 1 ? "collect" : "collect-" + positions;
  }

  @Override
  public String unit() {
    return "positions";
  }

  @Override
  public double usualP99Millis() {
    return 50;
  }

  @Override
  public String data() {
    return "%,d position%s a request, of %,d riders in turn, each with a new time and place"
        .formatted(positions, positions == 1 ? "" : "s", riders);
  }

  @Override
  public List<LoadFlow> flows(String key) {
    PositionsWorkload.Plan plan =
        new PositionsWorkload.Plan("/v1/traces", key, positions, riders, false);
    return List.of(
        new LoadFlow(
            "traces",
            Priority.TRACES,
            1,
            1,
            positions,
            (lane, of, _) -> new PositionsWorkload(plan, lane, of)));
  }
}
