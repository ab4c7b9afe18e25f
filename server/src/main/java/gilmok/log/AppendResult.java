package gilmok.log;

/** The result of an append. Only {@link #TAKEN} changed anything. */
public enum AppendResult {
  /** Accepted; its {@link AppendCompletion} will be called. */
  TAKEN,
  /** The group being gathered is full: the disk is slower than the callers. Try again shortly. */
  BUSY,
  /** No room: the next segment could not be prepared, or the log is at its size limit. */
  FULL,
  /** Larger than {@code log.group-bytes-max}: it will never be accepted. */
  TOO_LARGE,
  /** The log is closed, or failed for good. */
  CLOSED
}
