package gilmok.sinks.firehose;

import gilmok.sinks.SinkConfig;
import gilmok.sinks.SinkLimits;

/**
 * Firehose's limits, and how it charges, from <a
 * href="https://docs.aws.amazon.com/firehose/latest/dev/limits.html">its quotas</a> and <a
 * href="https://docs.aws.amazon.com/firehose/latest/APIReference/API_PutRecordBatch.html">
 * PutRecordBatch</a>. No setting may exceed them.
 *
 * <p>Besides, each stream has a quota per second that can be raised on request. For data that is
 * put directly, it is 500,000 records, 2,000 calls and 5 MiB in us-east-1, us-west-2 and eu-west-1;
 * in most other regions 100,000 records, 1,000 calls and 1 MiB. The settings' defaults are nine
 * tenths of the smaller quota.
 */
public final class FirehoseLimits {
  /** The most Firehose records in a call. */
  public static final int CALL_RECORDS_MAX = 500;

  /** The most bytes of a call. */
  public static final int CALL_BYTES_MAX = 4 << 20;

  /** The most bytes of one Firehose record, before base64. */
  public static final int RECORD_BYTES_MAX = 1000 << 10;

  /**
   * The most lines in one Firehose record: a stream that separates records again (for dynamic
   * partitioning) does so <a
   * href="https://docs.aws.amazon.com/firehose/latest/dev/dynamic-partitioning-multirecord-deaggergation.html">
   * for 500</a> and no more.
   */
  public static final int RECORD_LINES_MAX = 500;

  /**
   * Each record is charged as if rounded up to a multiple of this many bytes: <a
   * href="https://aws.amazon.com/firehose/pricing/">pricing</a>.
   */
  public static final int BILLED_BYTES_STEP = 5 << 10;

  /**
   * The most data that we put into a call. As base64, which is a third longer, with the JSON around
   * 500 records, it is still below {@link #CALL_BYTES_MAX}, whichever of the two that limit means.
   */
  static final int CALL_DATA_BYTES_MAX = 3 * RECORD_BYTES_MAX;

  /**
   * Limits of the common settings. A batch may be larger than a call and then takes several. These
   * limits bound memory, and the connections: one for each batch in flight.
   */
  public static final SinkLimits SINK = new SinkLimits(10_000, CALL_BYTES_MAX, 64);

  /** The defaults: 300 records a batch, 8 batches in flight. */
  public static final SinkConfig.Usual USUAL = new SinkConfig.Usual(300, 8);

  private FirehoseLimits() {}
}
