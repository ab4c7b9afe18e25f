package gilmok.lab.firehose;

/** What a {@link Firehose} counts. */
public enum Count {
  /** Calls that put something, whatever became of them. */
  CALLS,
  /** Calls answered "Slow down." as a whole. */
  CALLS_THROTTLED,
  /** Calls answered 500. */
  CALLS_BROKEN,
  /** Calls refused for what is in them, or for who calls. */
  CALLS_REFUSED,
  /** Calls of which something was kept and the connection closed instead of an answer. */
  ANSWERS_LOST,
  /** Calls left hanging. */
  CALLS_HUNG,
  /** Firehose records that were kept. */
  RECORDS,
  /** Firehose records refused one by one. */
  RECORDS_FAILED,
  /** Bytes of the records kept, before base64. */
  BYTES,
  /** What is paid for: each record kept, rounded up to steps of 5 KB. */
  BILLED_UNITS,
  /** Lines in the records kept. */
  LINES,
  /** Lines among them that have no record id and dedup key. */
  LINES_UNKNOWN
}
