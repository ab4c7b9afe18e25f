package gilmok.lab.capacity;

import gilmok.lab.Metrics;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What was seen in a span of time: counters as how much they grew a second, gauges as their highest
 * value. A metric that the server does not have is 0. Immutable.
 *
 * @param samples in their order
 * @param processors how many the server may use
 * @param ofMachine how many the machine has
 */
record SampleSpan(List<ResourceSample> samples, int processors, int ofMachine) {
  private static final double NANOS = 1e9;

  SampleSpan {
    samples = List.copyOf(samples);
  }

  /** Whether there is enough to compare. */
  boolean isKnown() {
    return samples.size() >= 2 && seconds() > 0;
  }

  double seconds() {
    return samples.isEmpty() ? 0 : (last().nanos() - first().nanos()) / NANOS;
  }

  private ResourceSample first() {
    return samples.getFirst();
  }

  private ResourceSample last() {
    return samples.getLast();
  }

  /** How much a counter grew a second. */
  double rate(String name, String label) {
    return each(sample -> sum(sample, name, label));
  }

  /** How much of a counter there is for one of another: the mean of a histogram. */
  double mean(String histogram, String label) {
    double count = grown(sample -> sum(sample, histogram + "_count", label));
    double sum = grown(sample -> sum(sample, histogram + "_sum", label));
    return count > 0 ? sum / count : 0;
  }

  /** The highest value of a gauge: of all with such labels, in all looks. */
  double most(String name, String label) {
    return samples.stream()
        .mapToDouble(sample -> sample.metrics().most(name, label))
        .filter(value -> !Double.isNaN(value))
        .max()
        .orElse(0);
  }

  /** The last value of a gauge, summed over all with such labels. */
  double last(String name, String label) {
    return samples.isEmpty() ? 0 : sum(last(), name, label);
  }

  /** The processors that the server used. */
  double serverCores() {
    return each(ResourceSample::serverNanos) / NANOS;
  }

  /** The processors that the load used. */
  double loadCores() {
    return each(ResourceSample::ownNanos) / NANOS;
  }

  /** The processors that were busy, whoever used them. */
  double busyCores() {
    return each(sample -> sample.machine().busySeconds());
  }

  /** The processors that a host of virtual machines gave to others meanwhile. */
  double stolenCores() {
    return each(sample -> sample.machine().stolenSeconds());
  }

  /** The server's threads in this time. */
  ThreadTimes serverThreads() {
    return last().serverThreads().since(first().serverThreads());
  }

  /** The load's threads in this time. */
  ThreadTimes ownThreads() {
    return last().ownThreads().since(first().ownThreads());
  }

  /** The machine in this time. */
  MachineTimes machine() {
    return last().machine().since(first().machine());
  }

  private static double sum(ResourceSample sample, String name, String label) {
    double sum = sample.metrics().sum(name, label);
    return Double.isNaN(sum) ? 0 : sum;
  }

  /** Looks in which the server could not be asked are passed over. */
  private double grown(ToDoubleFunction<ResourceSample> counter) {
    List<ResourceSample> asked = asked();
    return asked.size() < 2
        ? 0
        : Math.max(
            0, counter.applyAsDouble(asked.getLast()) - counter.applyAsDouble(asked.getFirst()));
  }

  private double each(ToDoubleFunction<ResourceSample> counter) {
    List<ResourceSample> asked = asked();
    if (asked.size() < 2) {
      return 0;
    }
    double seconds = (asked.getLast().nanos() - asked.getFirst().nanos()) / NANOS;
    return seconds > 0 ? grown(counter) / seconds : 0;
  }

  private List<ResourceSample> asked() {
    List<ResourceSample> asked =
        samples.stream().filter(sample -> !sample.metrics().lines().isEmpty()).toList();
    return asked.isEmpty() ? samples : asked;
  }

  /** The metrics at the end. */
  Metrics metrics() {
    return asked().isEmpty() ? new Metrics(List.of()) : asked().getLast().metrics();
  }
}
