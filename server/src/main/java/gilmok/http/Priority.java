package gilmok.http;

/**
 * Which routes are served first when the room is short. Each constant says up to what share of the
 * server's room (requests in flight, bytes of bodies) its routes are still admitted.
 */
public enum Priority {
  /** Health, metrics, version and the operators' page: never refused for lack of room. */
  ALWAYS(Double.POSITIVE_INFINITY),
  /** Riders' actions and transitions of deliveries. */
  ACTIONS(1.0),
  /** Positions. */
  TRACES(0.85),
  /** Reads, and log lines. */
  READS(0.7),
  /** Reports, lists, administration. */
  REPORTS(0.5);

  private final double share;

  Priority(double share) {
    this.share = share;
  }

  double share() {
    return share;
  }
}
