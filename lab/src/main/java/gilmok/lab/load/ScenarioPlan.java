package gilmok.lab.load;

import java.time.Duration;

/**
 * What a run over whole deliveries is to do: create, accept, assign, pickup, complete, each as soon
 * as the one before is answered.
 *
 * @param rate transitions a second, an open loop: a fifth as many deliveries begin
 * @param ramp over which the rate rises from nearly nothing, before the warm-up
 * @param warmup at the full rate, not measured
 * @param drain how long answers are waited for after the end
 */
record ScenarioPlan(
    String host,
    int port,
    String key,
    int connections,
    double rate,
    Duration ramp,
    Duration warmup,
    Duration measured,
    Duration drain) {
  ScenarioPlan {
    require(connections >= 1 && connections <= 20_000, "connections: 1 to 20,000");
    require(rate >= Scenario.STEPS && rate <= 1_000_000, "rate: 5 to 1,000,000");
    require(measured.isPositive() && measured.toHours() <= 24, "seconds: 1 to a day");
    require(!ramp.isNegative() && !warmup.isNegative(), "ramp and warmup: 0 or more");
  }

  /** Deliveries that have begun so many nanoseconds after the start. */
  double begun(long nanos) {
    double perNano = rate / Scenario.STEPS / 1e9;
    double rampNanos = ramp.toNanos();
    return nanos < rampNanos
        ? perNano * nanos * nanos / (2 * rampNanos)
        : perNano * (nanos - rampNanos / 2);
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
