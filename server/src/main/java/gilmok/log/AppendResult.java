package gilmok.log;

/** What became of an append. Only {@link #TAKEN} changed anything. */
public enum AppendResult {
  /** Put down; its ticket will be called. */
  TAKEN,
  /** The group being gathered is full: the disk is slower than the callers. Try again shortly. */
  BUSY,
  /** No room: the next segment could not be made ready, or the log is at its bound. */
  FULL,
  /** More than the log takes at once, {@code log.group-bytes-max}: it will never be taken so. */
  TOO_LARGE,
  /** The log is closed, or failed for good. */
  CLOSED
}
