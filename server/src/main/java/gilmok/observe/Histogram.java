package gilmok.observe;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * A histogram of nanoseconds or of whole numbers. It is our own code because every request records
 * into it: one adder for each bucket costs a sixth of Micrometer's timer, and needs no look-up.
 *
 * <p>Thread-safe; recording neither blocks nor allocates.
 */
public final class Histogram {
  /** Bucket bounds from 0.1 ms to 10 s, in nanoseconds. */
  static final long[] NANOS = {
    100_000L,
    250_000L,
    500_000L,
    1_000_000L,
    2_500_000L,
    5_000_000L,
    10_000_000L,
    25_000_000L,
    50_000_000L,
    100_000_000L,
    250_000_000L,
    500_000_000L,
    1_000_000_000L,
    2_500_000_000L,
    5_000_000_000L,
    10_000_000_000L
  };

  /** Bucket bounds for amounts: powers of two up to 64 Ki. */
  static final long[] AMOUNTS = {
    1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536
  };

  private final long[] bounds;
  private final double unit;
  private final Labels labels;
  private final LongAdder[] counts;
  private final LongAdder sum = new LongAdder();
  private final AtomicLong highest = new AtomicLong();
  private long highestBefore;

  /**
   * An empty histogram.
   *
   * @param bounds the buckets' upper bounds, each inclusive, ascending
   * @param unit the value of one recorded unit in the unit that is shown
   */
  Histogram(long[] bounds, double unit, Labels labels) {
    this.bounds = bounds.clone();
    this.unit = unit;
    this.labels = labels;
    counts = new LongAdder[bounds.length + 1];
    Arrays.setAll(counts, _ -> new LongAdder());
  }

  /** Records one amount; nanoseconds for a time. A negative amount counts as 0. */
  public void record(long amount) {
    long counted = Math.max(0, amount);
    int bucket = 0;
    while (bucket < bounds.length && counted > bounds[bucket]) {
      bucket++;
    }
    counts[bucket].increment();
    sum.add(counted);
    if (counted > highest.get()) {
      highest.accumulateAndGet(counted, Math::max);
    }
  }

  HistogramDataPointSnapshot point() {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    for (int i = 0; i < counts.length; i++) {
      double end = i < bounds.length ? bounds[i] * unit : Double.POSITIVE_INFINITY;
      buckets.bucket(end, counts[i].sum());
    }
    return HistogramDataPointSnapshot.builder()
        .labels(labels)
        .sum(sum.sum() * unit)
        .classicHistogramBuckets(buckets.build())
        .build();
  }

  /**
   * The highest amount of this period and the one before.
   *
   * @param spellEnds whether a new period begins now
   */
  synchronized GaugeDataPointSnapshot highestPoint(boolean spellEnds) {
    long now = highest.get();
    double shown = Math.max(now, highestBefore) * unit;
    if (spellEnds) {
      highestBefore = highest.getAndSet(0);
    }
    return GaugeDataPointSnapshot.builder().labels(labels).value(shown).build();
  }
}
