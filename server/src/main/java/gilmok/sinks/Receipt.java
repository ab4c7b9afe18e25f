package gilmok.sinks;

/**
 * What became of some records of one batch at one sink.
 *
 * @param sequences the records
 * @param settledAtMillis when they were settled, epoch ms
 * @param place where the destination keeps them; for quarantined records the reason
 */
public record Receipt(Sequences sequences, Outcome outcome, long settledAtMillis, String place) {
  /** How a record can be settled. */
  public enum Outcome {
    /** The destination has acknowledged it. */
    DELIVERED,
    /** The destination refused it for good; it is in the stream {@code quarantine}. */
    QUARANTINED,
    /** The record was given up when the sink was detached from a full log. */
    SKIPPED
  }
}
