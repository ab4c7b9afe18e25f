package gilmok.lab.capacity;

import gilmok.lab.load.Acknowledging;
import gilmok.lab.load.LoadRun;
import gilmok.lab.load.RunResult;
import gilmok.lab.load.Usage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Adds up the flows of one step. Not thread-safe. */
final class StepTotals {
  private static final double MILLIS = 1e6;
  private static final double[] PERCENTS = {50, 90, 99, 99.9, 99.99};

  private final Histogram latencies = LoadRun.histogram();
  private final Histogram lateness = LoadRun.histogram();
  private final Map<String, Long> errors = new LinkedHashMap<>();
  private final List<LoadStep.Flow> flows = new ArrayList<>();
  private double offered;
  private double achieved;
  private double units;
  private double refused;
  private double seconds;
  private long failed;
  private long allAnswered;
  private long neverSent;
  private long duplicates;

  /**
   * Adds a flow.
   *
   * @param answered good answers that came within the measured part
   * @param isOneOfMany whether its errors are named after it
   */
  void add(LoadFlow flow, RunResult result, double answered, boolean isOneOfMany) {
    String prefix = isOneOfMany ? flow.name() + ": " : "";
    seconds = result.plan().measured().toNanos() / 1e9;
    double its = answered / seconds / flow.requests();
    double itsRefused = result.sent().refused() / seconds;
    latencies.add(result.latencies());
    lateness.add(result.sent().lateness());
    result.errors().forEach((kind, count) -> errors.merge(prefix + kind, count, Long::sum));
    failed += result.errorCount();
    allAnswered += result.answered();
    neverSent += result.sent().neverSent();
    duplicates += result.errors().getOrDefault(Acknowledging.DUPLICATE, 0L);
    offered += result.plan().rate();
    achieved += its;
    units += its * flow.units();
    refused += itsRefused;
    flows.add(
        new LoadStep.Flow(
            flow.name(),
            flow.priority().name(),
            result.plan().rate(),
            its,
            itsRefused,
            result.p99()));
  }

  /**
   * The step that these flows were.
   *
   * @param acknowledged records that the server acknowledged
   * @param processors how many the server may use
   */
  LoadStep step(String what, Usage used, StepGoals goals, long acknowledged, int processors) {
    LoadStep.Rates rates =
        new LoadStep.Rates(
            offered,
            achieved,
            refused,
            units,
            (double) failed / Math.max(1, failed + allAnswered),
            seconds);
    LoadStep.Load load =
        new LoadStep.Load(
            new RunResult.Sent(lateness, neverSent, 0).lateShare(goals.lateMillis()),
            lateness.getValueAtPercentile(99) / MILLIS,
            neverSent,
            duplicates,
            acknowledged);
    LoadStep.Cores cores =
        new LoadStep.Cores(used.serverCores(), used.ownCores(), used.otherCores());
    return new LoadStep(
        what,
        rates,
        percentiles(),
        errors,
        load,
        cores,
        flows,
        goals.missed(rates, latencies.getValueAtPercentile(99) / MILLIS, cores, processors),
        goals.voidness(load));
  }

  private Map<String, Double> percentiles() {
    Map<String, Double> millis = new LinkedHashMap<>();
    for (double percent : PERCENTS) {
      millis.put(
          ("p" + percent).replace(".0", ""), latencies.getValueAtPercentile(percent) / MILLIS);
    }
    millis.put("max", latencies.getMaxValue() / MILLIS);
    return millis;
  }
}
