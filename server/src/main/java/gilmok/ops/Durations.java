package gilmok.ops;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;

/**
 * How many of something fell into each bucket of a histogram, in the time between two samples.
 * Arithmetic on arrays; stateless.
 */
final class Durations {
  private Durations() {}

  /** Adds a histogram's counts to {@code sums}, which has a place for each bucket. */
  static void add(ClassicHistogramBuckets buckets, long[] sums) {
    for (int i = 0; i < Math.min(buckets.size(), sums.length); i++) {
      sums[i] += buckets.getCount(i);
    }
  }

  /** The buckets' upper bounds; the last one is infinite. */
  static double[] bounds(ClassicHistogramBuckets buckets) {
    double[] bounds = new double[buckets.size()];
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = buckets.getUpperBound(i);
    }
    return bounds;
  }

  static long total(long[] counts) {
    long total = 0;
    for (long count : counts) {
      total += count;
    }
    return total;
  }

  /**
   * A quantile as Prometheus reckons it: within a bucket everything is spread evenly, and what is
   * beyond the last finite bound counts as that bound. NaN when nothing was counted.
   */
  static double quantile(double[] bounds, long[] counts, double share) {
    double rank = share * total(counts);
    if (rank == 0) {
      return Double.NaN;
    }
    long below = 0;
    for (int i = 0; i < counts.length; i++) {
      if (below + counts[i] >= rank) {
        double from = i == 0 ? 0 : bounds[i - 1];
        double within = (rank - below) / counts[i];
        return Double.isInfinite(bounds[i]) ? from : from + (bounds[i] - from) * within;
      }
      below += counts[i];
    }
    return bounds[bounds.length - 2];
  }

  /** The share above a bound that a bucket has; NaN when nothing was counted. */
  static double above(double[] bounds, long[] counts, double bound) {
    long over = 0;
    for (int i = 0; i < counts.length; i++) {
      over += bounds[i] > bound * 1.000_001 ? counts[i] : 0;
    }
    return over / (double) total(counts);
  }
}
