package gilmok.sinks;

import gilmok.log.Stream;

/**
 * The account of one stream at one sink.
 *
 * @param since the first sequence it is about: where the sink began, or was rewound to
 * @param accepted records that the log made durable from there on, counted at the commit
 * @param delivered records that the destination has acknowledged, counted at its answer
 * @param waiting records behind the cursor that are not settled
 * @param quarantined records that the destination refused for good
 * @param skipped records that the sink missed when it was detached
 * @param lost records that the log has no more though the sink had not settled them: somebody
 *     removed or damaged segments
 */
public record LedgerRow(
    String sink,
    Stream stream,
    long since,
    long accepted,
    long delivered,
    long waiting,
    long quarantined,
    long skipped,
    long lost) {

  /** What does not add up: 0, or something is wrong and somebody must look. */
  public long residue() {
    return accepted - delivered - waiting - quarantined - skipped - lost;
  }
}
