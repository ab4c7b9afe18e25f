package gilmok.sinks;

/**
 * Limits that no setting of a kind of sink may exceed: a vendor's hard limits, or those of our own
 * code. Each kind has its constants, with the link.
 *
 * @param batchRecordsMax the most records of a batch
 * @param batchBytesMax the most bytes of a batch's records, encoded as in the log
 * @param concurrencyMax the most batches in flight; 1 for a sink that keeps order
 */
public record SinkLimits(int batchRecordsMax, long batchBytesMax, int concurrencyMax) {}
