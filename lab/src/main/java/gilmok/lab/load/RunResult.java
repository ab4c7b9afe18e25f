package gilmok.lab.load;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The result of a run. Latencies are in milliseconds unless said otherwise; in an open loop they
 * count from when an exchange was due.
 *
 * @param latencies of the measured part, in nanoseconds
 * @param bySecond the latencies of each of its first seconds, if they were to be kept
 * @param worstSecondP99 the highest p99 of any second
 * @param answered the good responses of the whole run
 * @param errors the errors of the whole run, by kind; empty if there were none
 * @param used the processor time of the measured part
 * @param watched the increase of each watched counter in the measured part
 * @param sent how the load itself did
 */
public record RunResult(
    LoadPlan plan,
    Histogram latencies,
    List<Histogram> bySecond,
    double worstSecondP99,
    long answered,
    Map<String, Long> errors,
    Usage used,
    List<Double> watched,
    Sent sent) {

  /**
   * How the load itself did: whether it asked for what was planned.
   *
   * @param lateness how late exchanges were sent although a connection was free, in nanoseconds;
   *     those that waited for the server's answers are not in it
   * @param neverSent exchanges that were due and not sent before the end
   * @param refused expected refusals in the measured part
   */
  public record Sent(Histogram lateness, long neverSent, long refused) {
    private static Sent of(List<Tally> tallies) {
      Histogram lateness = Tally.histogram();
      tallies.forEach(tally -> lateness.add(tally.lateness));
      return new Sent(
          lateness,
          tallies.stream().mapToLong(Tally::neverSent).sum(),
          tallies.stream().mapToLong(Tally::refused).sum());
    }

    /** The share of exchanges that were sent later than that, 0 to 1. */
    public double lateShare(double millis) {
      long all = lateness.getTotalCount();
      long inTime = lateness.getCountBetweenValues(0, (long) (millis * 1e6));
      return all == 0 ? 0 : 1 - (double) inTime / all;
    }
  }

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
        watched,
        Sent.of(tallies));
  }

  /** The latencies of some of its first seconds, if they were kept. */
  public Histogram latenciesOf(int fromSecond, int toSecond) {
    Histogram sum = Tally.histogram();
    bySecond
        .subList(Math.max(0, fromSecond), Math.min(toSecond, bySecond.size()))
        .forEach(sum::add);
    return sum;
  }

  /** Responses in the measured part. */
  public long answers() {
    return latencies.getTotalCount();
  }

  /** Responses a second in the measured part. */
  public double perSecond() {
    return answers() / (plan.count() > 0 ? wall() : plan.measured().toNanos() / 1e9);
  }

  /** A percentile of the latencies. */
  private double percentile(double percent) {
    return latencies.getValueAtPercentile(percent) / 1e6;
  }

  /** The usual percentiles, the mean and the maximum, by name. */
  public Map<String, Double> percentiles() {
    Map<String, Double> millis = new LinkedHashMap<>();
    millis.put("mean", latencies.getMean() / 1e6);
    for (double percent : new double[] {50, 90, 99, 99.9, 99.99}) {
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

  /** The longest latency. */
  public double max() {
    return latencies.getMaxValue() / 1e6;
  }

  /** The length of the measured part, in seconds. */
  public double wall() {
    return used.wallNanos() / 1e9;
  }

  /** The processors used by the load. */
  public double cores() {
    return used.ownCores();
  }

  /** The number of errors in the whole run. */
  public long errorCount() {
    return errors.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The number of responses in each of the kept seconds. */
  public List<Long> rates() {
    return bySecond.stream().map(Histogram::getTotalCount).toList();
  }

  /** The p99 of the kept seconds from {@code from} to before {@code to}. */
  public double p99(int from, int to) {
    Histogram sum = Tally.histogram();
    bySecond.subList(from, Math.min(to, bySecond.size())).forEach(sum::add);
    return sum.getValueAtPercentile(99) / 1e6;
  }

  /** Returns this result, or throws if there were errors. */
  public RunResult orThrow() throws IOException {
    if (!errors.isEmpty()) {
      throw new IOException("not answered as it should be: " + errors);
    }
    return this;
  }

  /** The result in a line. */
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
