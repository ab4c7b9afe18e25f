package gilmok.sinks;

/** The result of a request to send a quarantined record once more. */
public enum ReplayResult {
  /** Accepted: the record waits to be sent. */
  TAKEN,
  /** As many records as allowed are waiting already. */
  FULL,
  /** It is not quarantined at this sink, or the log no longer has it. */
  NOT_SET_ASIDE
}
