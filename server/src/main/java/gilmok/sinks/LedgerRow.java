package gilmok.sinks;

import gilmok.log.Stream;

/**
 * The account of one stream at one sink. All but {@code since} are numbers of records.
 *
 * @param since the first sequence of the account: where the sink began, or was rewound to
 * @param accepted records that the log made durable from there on, counted at the commit
 * @param waiting records behind the cursor that are not settled
 * @param settled what became of the others
 */
public record LedgerRow(
    String sink, Stream stream, long since, long accepted, long waiting, Settled settled) {
  /**
   * How records were settled.
   *
   * @param delivered the destination has acknowledged them, counted at its answer
   * @param quarantined the destination refused them for good
   * @param skipped the sink missed them when it was detached
   * @param erased they were erased from the log before the sink had received them
   * @param lost the log no longer has them: somebody removed or damaged segments
   */
  public record Settled(long delivered, long quarantined, long skipped, long erased, long lost) {
    static Settled of(SinkCounts counts, Stream stream) {
      return new Settled(
          counts.delivered().of(stream),
          counts.quarantined().of(stream),
          counts.skipped().of(stream),
          counts.erased().of(stream),
          counts.lost().of(stream));
    }

    private long total() {
      return delivered + quarantined + skipped + erased + lost;
    }
  }

  /** See {@link Settled}. */
  public long delivered() {
    return settled.delivered;
  }

  /** See {@link Settled}. */
  public long quarantined() {
    return settled.quarantined;
  }

  /** See {@link Settled}. */
  public long skipped() {
    return settled.skipped;
  }

  /** See {@link Settled}. */
  public long erased() {
    return settled.erased;
  }

  /** See {@link Settled}. */
  public long lost() {
    return settled.lost;
  }

  /**
   * The difference that nothing accounts for: 0, or there is an error that somebody must look into.
   */
  public long residue() {
    return accepted - waiting - settled.total();
  }
}
