package gilmok.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import gilmok.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Quantiles and shares of counts in buckets. */
@Tag("unit")
final class DurationsTest {
  private static final double[] BOUNDS = {0.001, 0.01, 0.1, 1, Double.POSITIVE_INFINITY};

  @Test
  void quantile_isSpreadEvenlyWithinABucket() {
    long[] counts = {0, 100, 0, 0, 0};
    assertThat(Durations.quantile(BOUNDS, counts, 0.5)).isCloseTo(0.0055, within(1e-9));
    assertThat(Durations.quantile(BOUNDS, counts, 1)).isCloseTo(0.01, within(1e-9));
    assertThat(Durations.quantile(BOUNDS, new long[] {10, 0, 0, 0, 0}, 0.5))
        .isCloseTo(0.0005, within(1e-9));
  }

  @Test
  void quantile_beyondTheLastBound_isThatBound_andOfNothingThereIsNone() {
    assertThat(Durations.quantile(BOUNDS, new long[] {0, 0, 0, 0, 3}, 0.99)).isEqualTo(1);
    assertThat(Durations.quantile(BOUNDS, new long[5], 0.99)).isNaN();
  }

  /** The quantile lies in the bucket of the value that has that rank. */
  @Test
  void quantile_isInTheBucketOfTheValueItself() {
    Seeds.each(4_000, DurationsTest::isInItsBucket);
  }

  private static void isInItsBucket(long seed) {
    Random random = new Random(seed);
    double[] values = new double[1 + random.nextInt(60)];
    Arrays.setAll(values, _ -> Math.pow(10, -4 + 4 * random.nextDouble()));
    long[] counts = new long[BOUNDS.length];
    for (double value : values) {
      counts[bucket(value)]++;
    }
    Arrays.sort(values);
    double share = 0.01 + 0.98 * random.nextDouble();
    int bucket = bucket(values[(int) Math.ceil(share * values.length) - 1]);
    double found = Durations.quantile(BOUNDS, counts, share);
    assertThat(found).isBetween(bucket == 0 ? 0 : BOUNDS[bucket - 1], BOUNDS[bucket] * 1.000_000_1);
  }

  @Test
  void above_isTheShareOverABound() {
    assertThat(Durations.above(BOUNDS, new long[] {1, 1, 1, 1, 0}, 0.1)).isEqualTo(0.25);
    assertThat(Durations.above(BOUNDS, new long[] {0, 0, 0, 1, 1}, 1)).isEqualTo(0.5);
    assertThat(Durations.above(BOUNDS, new long[5], 1)).isNaN();
  }

  private static int bucket(double value) {
    int bucket = 0;
    while (value > BOUNDS[bucket]) {
      bucket++;
    }
    return bucket;
  }
}
