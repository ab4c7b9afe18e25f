package gilmok.lab.load;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What came of a run. Milliseconds; in an open loop from when an exchange was due.
 *
 * @param latencies of the measured part, in nanoseconds
 * @param bySecond those of each of its first seconds, if they were to be kept
 * @param worstSecondP99 the highest p99 of any second
 * @param answered good answers in all of the run
 * @param errors in all of the run, by kind; empty when all was well
 * @param used processor time in the measured part
 * @param watched by how much each watched count grew in it
 */
public record RunResult(
    LoadPlan plan,
    Histogram latencies,
    List<Histogram> bySecond,
    double worstSecondP99,
    long answered,
    Map<String, Long> errors,
    Usage used,
    List<Double> watched) {

  static RunResult of(LoadPlan plan, List<Tally> tallies, Usage used, List<Double> watched) {
    Histogram latencies = Tally.histogram();
    List<Histogram> bySecond = tallies.getFirst().seconds;
    Map<String, Long> errors = new LinkedHashMap<>();
    for (Tally tally : tallies) {
      latencies.add(tally.latencies);
      tally.errors.forEach((kind, count) -> errors.merge(kind, count, Long::sum));
    }
    for (Tally tally : tallies.subList(1, tallies.size())) {
      for (int i = 0; i < bySecond.size(); i++) {
        bySecond.get(i).add(tally.seconds.get(i));
      }
    }
    return new RunResult(
        plan,
        latencies,
        bySecond,
        tallies.stream().mapToLong(Tally::worstSecondP99).max().orElse(0) / 1e6,
        tallies.stream().mapToLong(Tally::answered).sum(),
        errors,
        used,
        watched);
  }

  /** Answers in the measured part. */
  public long answers() {
    return latencies.getTotalCount();
  }

  /** Answers in a second of the measured part. */
  public double perSecond() {
    return answers() / (plan.count() > 0 ? wall() : plan.measured().toNanos() / 1e9);
  }

  /** A percentile of the latencies. */
  private double percentile(double percent) {
    return latencies.getValueAtPercentile(percent) / 1e6;
  }

  /** The usual percentiles, mean and longest, by name. */
  public Map<String, Double> percentiles() {
    Map<String, Double> millis = new LinkedHashMap<>();
    millis.put("mean", latencies.getMean() / 1e6);
    for (double percent : new double[] {50, 90, 99, 99.9}) {
      millis.put(("p" + percent).replace(".0", ""), percentile(percent));
    }
    millis.put("max", max());
    return millis;
  }

  /** The median. */
  public double p50() {
    return percentile(50);
  }

  /** The 99th percentile. */
  public double p99() {
    return percentile(99);
  }

  /** The longest. */
  public double max() {
    return latencies.getMaxValue() / 1e6;
  }

  /** Seconds that the measured part took. */
  public double wall() {
    return used.wallNanos() / 1e9;
  }

  /** Processors that the load took. */
  public double cores() {
    return used.ownCores();
  }

  /** How much went wrong in all of the run. */
  public long errorCount() {
    return errors.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Answers in each of the seconds that were kept. */
  public List<Long> rates() {
    return bySecond.stream().map(Histogram::getTotalCount).toList();
  }

  /** The p99 of the seconds from one to before another, of those that were kept. */
  public double p99(int from, int to) {
    Histogram sum = Tally.histogram();
    bySecond.subList(from, Math.min(to, bySecond.size())).forEach(sum::add);
    return sum.getValueAtPercentile(99) / 1e6;
  }

  /** Itself; what went wrong is an exception. */
  public RunResult orThrow() throws IOException {
    if (!errors.isEmpty()) {
      throw new IOException("not answered as it should be: " + errors);
    }
    return this;
  }

  /** In a line. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "%,.0f/s  p50 %.2f  p99 %.2f  max %.1f ms  load %.2f cores%s",
        perSecond(),
        p50(),
        p99(),
        max(),
        cores(),
        errors.isEmpty() ? "" : "  ERRORS " + errors);
  }
}
