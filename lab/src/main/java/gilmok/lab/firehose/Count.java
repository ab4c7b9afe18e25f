package gilmok.lab.firehose;

/** The counters of a {@link Firehose}. */
public enum Count {
  /** Calls that put records, whatever the result. */
  CALLS,
  /** Calls answered "Slow down." as a whole. */
  CALLS_THROTTLED,
  /** Calls answered 500. */
  CALLS_BROKEN,
  /** Calls refused for their content or for lack of a signature. */
  CALLS_REFUSED,
  /** Calls whose records were kept, but whose connection was closed without a response. */
  ANSWERS_LOST,
  /** Calls answered only after a long time. */
  CALLS_HUNG,
  /** Firehose records that were kept. */
  RECORDS,
  /** Firehose records that were refused individually. */
  RECORDS_FAILED,
  /** Bytes of the records kept, before base64. */
  BYTES,
  /** What the vendor bills: the size of each kept record, rounded up to steps of 5 KB. */
  BILLED_UNITS,
  /** Lines in the records kept. */
  LINES,
  /** Lines in the kept records without a record id and deduplication key. */
  LINES_UNKNOWN
}
