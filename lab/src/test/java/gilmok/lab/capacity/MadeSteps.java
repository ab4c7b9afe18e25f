package gilmok.lab.capacity;

import gilmok.lab.Metrics;
import gilmok.lab.load.LoadRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Steps and samples for tests. */
final class MadeSteps {
  static final StepGoals GOALS = new StepGoals(50, 0, 0.95);

  private MadeSteps() {}

  /** A step at a rate that holds or misses its p99. */
  static LoadStep step(double units, boolean holds) {
    return step(units, holds ? 10 : 80, "");
  }

  /** A step that misses its p99 while all processors are busy. */
  static LoadStep busy(double units) {
    return step(units, 80, "", new LoadStep.Cores(1.4, 0.5, 0.05));
  }

  /** A step with a p99 and what makes it void. */
  static LoadStep step(double units, double p99, String voidness) {
    return step(units, p99, voidness, new LoadStep.Cores(1, 0.5, 0.05));
  }

  private static LoadStep step(double units, double p99, String voidness, LoadStep.Cores cores) {
    return new LoadStep(
        "search",
        new LoadStep.Rates(units, units, 0, units, 0, 10),
        Map.of("p50", p99 / 10, "p99", p99, "p99.9", 2 * p99),
        Map.of(),
        new LoadStep.Load(0, 0.1, 0, 0, (long) (10 * units)),
        cores,
        List.of(new LoadStep.Flow("traces", "TRACES", units, units, 0, p99)),
        p99 > GOALS.p99Millis() ? List.of("p99 " + p99) : List.of(),
        voidness);
  }

  /**
   * Ten seconds, seen twice.
   *
   * @param metrics lines of the server's metrics at the end; counters began at 0
   * @param busyCores of all processes
   */
  static SampleSpan span(double busyCores, String... metrics) {
    return span(busyCores, 0, metrics);
  }

  /**
   * The same on a virtual machine.
   *
   * @param stolenCores that its host took
   */
  static SampleSpan span(double busyCores, double stolenCores, String... metrics) {
    List<String> before = new ArrayList<>();
    for (String line : metrics) {
      before.add(line.substring(0, line.lastIndexOf(' ')) + " 0");
    }
    return new SampleSpan(
        List.of(
            sample(0, 0, 0, before),
            sample(10, 10 * busyCores, 10 * stolenCores, List.of(metrics))),
        2,
        2);
  }

  private static ResourceSample sample(
      double second, double busy, double stolen, List<String> metrics) {
    return new ResourceSample(
        (long) (1e9 * second),
        new Metrics(metrics),
        ThreadTimes.NONE,
        ThreadTimes.NONE,
        new MachineTimes(busy, stolen, 0, 0),
        (long) (1e9 * second),
        (long) (5e8 * second),
        LoadRun.histogram());
  }
}
