package gilmok.sinks;

/** What became of the wish to have a quarantined record sent once more. */
public enum ReplayResult {
  /** It will be sent, and waits until then. */
  TAKEN,
  /** As many as can wait to be sent once more. */
  FULL,
  /** It is not set aside at this sink, or the log has it no more. */
  NOT_SET_ASIDE
}
