package gilmok.cli;

/**
 * How long an import rests after each batch, so that phones do not wait for it: if the server took
 * over twice as long for it as it can, it has other work, and is left alone for as long as that
 * took. Like TCP Vegas, it takes a delay, and not a refusal, for the sign of a crowd. Not
 * thread-safe.
 */
final class ImportPace {
  private static final double CROWDED = 2;

  /** The fastest batch counts less and less, as data grows and servers change. */
  private static final double FADING = 1.02;

  private static final int RECORDS_LEAST = 50;
  private static final double REST_NANOS_MAX = 5e9;

  private final double nanosPerRecord;
  private double best = Double.MAX_VALUE;

  /**
   * @param rate most records a second; 0 for no limit
   */
  ImportPace(int rate) {
    nanosPerRecord = rate == 0 ? 0 : 1e9 / rate;
  }

  /**
   * How long to rest.
   *
   * @param records of the batch
   * @param tookNanos how long the server took for it
   */
  long restNanos(int records, long tookNanos) {
    double least = nanosPerRecord * records - tookNanos;
    double crowd = 0;
    if (records >= RECORDS_LEAST) {
      double each = (double) tookNanos / records;
      best = Math.min(best * FADING, each);
      crowd = each > CROWDED * best ? tookNanos - best * records : 0;
    }
    return (long) Math.max(least, Math.min(REST_NANOS_MAX, Math.max(0, crowd)));
  }
}
