package gilmok.sinks;

/** Is told which records of a sink are settled. Its calls come under the account's lock. */
interface SettlementWatch {
  /**
   * Records in a range were settled. A call of {@link #tell} follows.
   *
   * @param isAnswer whether the destination has answered, so that it is there
   */
  void settled(long from, long to, SinkCheckpoint now, boolean isAnswer);

  /** The lock was given back: whoever waited for the settled records may be told. */
  void tell();

  /** The account began anew, or gave something up. */
  void reset();
}
