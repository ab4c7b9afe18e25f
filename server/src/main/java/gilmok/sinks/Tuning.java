package gilmok.sinks;

import java.time.Duration;

/**
 * What of a sink can be changed while it runs.
 *
 * @param batchRecordsMax a batch goes when it has so many records,
 * @param batchBytesMax or so many bytes, encoded as in the log (a larger record goes alone),
 * @param batchAgeMax or its first record has waited so long
 * @param maxConcurrency most batches in flight
 */
public record Tuning(
    int batchRecordsMax, long batchBytesMax, Duration batchAgeMax, int maxConcurrency) {

  /** The same, but for what differs between these two: that is as in the second. */
  public Tuning changed(Tuning from, Tuning to) {
    return new Tuning(
        from.batchRecordsMax == to.batchRecordsMax ? batchRecordsMax : to.batchRecordsMax,
        from.batchBytesMax == to.batchBytesMax ? batchBytesMax : to.batchBytesMax,
        from.batchAgeMax.equals(to.batchAgeMax) ? batchAgeMax : to.batchAgeMax,
        from.maxConcurrency == to.maxConcurrency ? maxConcurrency : to.maxConcurrency);
  }
}
