package gilmok.lab.cost;

import java.time.Duration;

/**
 * The nodes that a demand needs. Immutable.
 *
 * @param safeRequests requests a second that one node takes
 * @param needed nodes for the demand's rate
 * @param spare nodes beside them
 * @param memoryMib a node's memory
 * @param diskGb a node's volume
 * @param logDays days for which the log keeps records
 */
record NodeSizing(
    double safeRequests, int needed, int spare, long memoryMib, long diskGb, double logDays) {
  private static final int FIFTY = 50;

  /** A bill's GB. */
  static final double GB = 1 << 30;

  /** What is kept beyond the retention until a segment is done with. */
  private static final double DAYS_MORE = 1;

  /**
   * The nodes for a demand.
   *
   * @param safePositions positions a second that one node takes, as {@code gilmok capacity} found;
   *     0: as assumed
   */
  static NodeSizing of(
      FleetDemand demand, Assumptions given, double safePositions, int spare, double logDays) {
    double safe =
        safePositions > 0 ? safePositions / demand.batch() : safeRequests(given, demand.batch());
    int needed = Math.max(1, (int) Math.ceil(demand.requestsPerSecond() / safe));
    double logBytes =
        demand.positionsPerDay()
            / (needed + spare)
            * (logDays + DAYS_MORE)
            * given.of(Assumption.LOG_BYTES);
    long diskGb = (long) Math.ceil(logBytes / given.of(Assumption.DISK_FILL) / GB);
    long memoryMib = Math.round(given.of(Assumption.NODE_MIB));
    return new NodeSizing(safe, needed, spare, memoryMib, Math.max(1, diskGb), logDays);
  }

  /** On the line through the time for a request of one and that for a request of fifty. */
  private static double safeRequests(Assumptions given, int batch) {
    double one = 1 / given.of(Assumption.RATE_OF_ONE);
    double fifty = 1 / given.of(Assumption.RATE_OF_FIFTY);
    return 1 / (one + (batch - 1) * (fifty - one) / (FIFTY - 1));
  }

  int nodes() {
    return needed + spare;
  }

  /** The riders that one node takes. */
  double riders(int batch, Duration every) {
    return safeRequests * batch * every.toNanos() / 1e9;
  }
}
