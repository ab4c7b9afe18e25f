package gilmok.runsheet.plan;

/**
 * The used share of the time for a plan; a share, so that the planner needs no clock. It is read
 * some ten thousand times a second, on the planning thread.
 */
@FunctionalInterface
public interface Budget {
  /**
   * The used share: 0 at the beginning; 1 or more when the best plan found so far is wanted or the
   * plan is no longer needed. It never falls.
   */
  double used();
}
