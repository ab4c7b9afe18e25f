package gilmok.sinks;

/**
 * What became of the records of one batch at one sink.
 *
 * @param sequences whose records these are
 * @param settledAtMillis when, epoch ms
 * @param place where it can be found at the destination; for what was set aside the reason
 */
public record Receipt(Sequences sequences, Outcome outcome, long settledAtMillis, String place) {
  /** How a record can be settled. */
  public enum Outcome {
    /** The destination has acknowledged it. */
    DELIVERED,
    /** The destination refused it for good; it is in the stream {@code quarantine}. */
    QUARANTINED,
    /** The sink was detached from a full log before it came to it. */
    SKIPPED
  }
}
