package gilmok.sinks;

import gilmok.log.Stream;

/**
 * The account of one stream at one sink. All but {@code since} are numbers of records.
 *
 * @param since the first sequence of the account: where the sink began, or was rewound to
 * @param accepted records that the log made durable from there on, counted at the commit
 * @param delivered records that the destination has acknowledged, counted at its answer
 * @param waiting records behind the cursor that are not settled
 * @param quarantined records that the destination refused for good
 * @param skipped records that the sink missed when it was detached
 * @param lost unsettled records that the log no longer has: somebody removed or damaged segments
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

  /**
   * The difference that nothing accounts for: 0, or there is an error that somebody must look into.
   */
  public long residue() {
    return accepted - delivered - waiting - quarantined - skipped - lost;
  }
}
