package gilmok.app;

/** What of the server can be left off ({@code --only}). */
enum Part {
  /** Takes what phones send. */
  COLLECT,
  /** Knows where everyone is. */
  LIVE,
  /** Ships what was collected to the sinks, and keeps the account. */
  SHIP,
  /** Runs deliveries. */
  DELIVERIES,
  /** Plans run sheets. */
  RUN_SHEETS,
  /** Knows what riders earned. */
  STATEMENTS,
  /** Shows riders what they can fulfil. */
  MISSIONS
}
