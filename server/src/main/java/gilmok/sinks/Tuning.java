package gilmok.sinks;

import java.time.Duration;

/**
 * The settings of a sink that can be changed while it runs.
 *
 * @param batchRecordsMax a batch is sent when it has this many records,
 * @param batchBytesMax or this many bytes, encoded as in the log (a larger record is sent alone),
 * @param batchAgeMax or when its first record has waited this long
 * @param maxConcurrency the most batches in flight
 */
public record Tuning(
    int batchRecordsMax, long batchBytesMax, Duration batchAgeMax, int maxConcurrency) {

  /**
   * This tuning, with each value that differs between {@code from} and {@code to} set as in {@code
   * to}.
   */
  public Tuning changed(Tuning from, Tuning to) {
    return new Tuning(
        from.batchRecordsMax == to.batchRecordsMax ? batchRecordsMax : to.batchRecordsMax,
        from.batchBytesMax == to.batchBytesMax ? batchBytesMax : to.batchBytesMax,
        from.batchAgeMax.equals(to.batchAgeMax) ? batchAgeMax : to.batchAgeMax,
        from.maxConcurrency == to.maxConcurrency ? maxConcurrency : to.maxConcurrency);
  }
}
