package gilmok.sinks.firehose;

import gilmok.sinks.SinkLimits;

/**
 * What Firehose takes and how it charges, as of <a
 * href="https://docs.aws.amazon.com/firehose/latest/dev/limits.html">its quotas</a> and <a
 * href="https://docs.aws.amazon.com/firehose/latest/APIReference/API_PutRecordBatch.html">
 * PutRecordBatch</a>. No setting passes these.
 *
 * <p>Beside them each stream has a quota by the second that can be raised on request. Data put
 * directly: in us-east-1, us-west-2 and eu-west-1 500,000 records, 2,000 calls and 5 MiB; in most
 * other regions 100,000 records, 1,000 calls and 1 MiB. The settings' defaults are nine tenths of
 * the smaller one.
 */
public final class FirehoseLimits {
  /** Most of Firehose's records in a call. */
  public static final int CALL_RECORDS_MAX = 500;

  /** Most bytes of a call. */
  public static final int CALL_BYTES_MAX = 4 << 20;

  /** Most bytes of one of its records, before base64. */
  public static final int RECORD_BYTES_MAX = 1000 << 10;

  /**
   * Most lines in one of its records: where a stream takes records apart again (for dynamic
   * partitioning), it does so <a
   * href="https://docs.aws.amazon.com/firehose/latest/dev/dynamic-partitioning-multirecord-deaggergation.html">
   * for 500</a> and no more.
   */
  public static final int RECORD_LINES_MAX = 500;

  /**
   * Each record is charged as if rounded up to a multiple of so many bytes: <a
   * href="https://aws.amazon.com/firehose/pricing/">pricing</a>.
   */
  public static final int BILLED_BYTES_STEP = 5 << 10;

  /**
   * Most data that we put into a call. As base64, a third longer, with the JSON around 500 records,
   * it is still below {@link #CALL_BYTES_MAX}, whichever of the two that is about.
   */
  static final int CALL_DATA_BYTES_MAX = 3 * RECORD_BYTES_MAX;

  /**
   * Bounds of the common settings. A batch may be larger than a call, it then takes several; the
   * bounds are for memory, and for the connections: one for each batch in flight.
   */
  public static final SinkLimits SINK = new SinkLimits(10_000, CALL_BYTES_MAX, 64);

  /** How many batches are in flight if nothing is said. */
  public static final int USUAL_CONCURRENCY = 8;

  private FirehoseLimits() {}
}
