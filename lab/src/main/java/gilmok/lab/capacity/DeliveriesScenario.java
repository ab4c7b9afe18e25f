package gilmok.lab.capacity;

import gilmok.http.Priority;
import gilmok.lab.deliveries.DeliverySteps;
import java.util.List;

/** Whole deliveries, from the order to the door, each step of it a request. */
record DeliveriesScenario() implements LoadScenario {
  @Override
  public String name() {
    return "deliveries";
  }

  @Override
  public String unit() {
    return "transitions";
  }

  @Override
  public double usualP99Millis() {
    return 100;
  }

  @Override
  public String data() {
    return "deliveries of 1,000 shops and 5,000 riders, each created, accepted, assigned, picked up"
        + " and completed, one after the other";
  }

  @Override
  public List<LoadFlow> flows(String key) {
    return List.of(
        new LoadFlow(
            "deliveries",
            Priority.ACTIONS,
            1,
            DeliverySteps.COUNT,
            DeliverySteps.COUNT,
            (lane, of, run) -> DeliverySteps.of(run, key, lane, of)));
  }
}
