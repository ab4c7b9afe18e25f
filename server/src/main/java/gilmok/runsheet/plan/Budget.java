package gilmok.runsheet.plan;

/**
 * How long a plan may take, as a share, so that the planner needs no clock. It is asked often, some
 * ten thousand times a second, on the thread that plans.
 */
@FunctionalInterface
public interface Budget {
  /**
   * How much is used: 0 at the beginning, 1 or more when the best found so far is to be given, also
   * when nobody waits for it any more. It never falls.
   */
  double used();
}
