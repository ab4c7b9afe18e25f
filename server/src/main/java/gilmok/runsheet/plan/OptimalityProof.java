package gilmok.runsheet.plan;

import java.util.Arrays;

/**
 * Proves a lower bound of the travel, and improves the tour where it can. It solves relaxations
 * with more and more exact orders, each starting from the prizes of the one before. After each
 * relaxation it runs {@link TravelSearch} among the remaining states, until one such search is
 * complete. Not thread-safe.
 */
final class OptimalityProof {
  /** The largest size of a relaxation's table, in numbers: 48 MiB. */
  private static final long TABLE_MAX = 12L << 20;

  /** So many orders are few: most are proven before the prizes are good. */
  private static final int FEW = 14;

  /**
   * One relaxation.
   *
   * @param exact the number of exact orders
   * @param rounds of climbing
   * @param length of the first round's step; a short one keeps what the relaxation before has
   *     climbed
   * @param statesMax how many states are searched afterwards
   */
  private record Step(int exact, int rounds, double length, int statesMax) {}

  private static final Step[] STEPS_OF_FEW = {
    new Step(0, 40, 1.4, 0),
    new Step(3, 8, 1.4, 20_000),
    new Step(5, 2, 1.4, 100_000),
    new Step(6, 2, 1.4, 400_000),
    new Step(7, 2, 1.4, Integer.MAX_VALUE)
  };

  /** Rounds cost little while few orders are exact, so the prizes are made good there. */
  private static final Step[] STEPS_OF_MANY = {
    new Step(0, 80, 1.4, 0),
    new Step(3, 30, 0.7, 0),
    new Step(4, 16, 0.4, 0),
    new Step(6, 5, 0.2, 200_000),
    new Step(7, 2, 0.1, Integer.MAX_VALUE)
  };

  private final SearchProblem searchProblem;
  private final Budget budget;
  private final double until;
  private long bound;

  OptimalityProof(SearchProblem searchProblem, Budget budget, double until) {
    this.searchProblem = searchProblem;
    this.budget = budget;
    this.until = until;
  }

  /** The proven lower bound of the cost of every plan. */
  long bound() {
    return bound;
  }

  /** Proves as much as it can, and improves the tour. */
  void run(Tour tour) {
    long upper = tour.travel;
    if (upper == 0 || upper > Relaxation.UPPER_MAX) {
      return;
    }
    int[] prizes = Relaxation.firstPrizes(searchProblem, upper);
    int[] violations = new int[searchProblem.orders];
    int exactBefore = -1;
    for (Step step : searchProblem.orders <= FEW ? STEPS_OF_FEW : STEPS_OF_MANY) {
      int count = Math.min(step.exact, searchProblem.orders);
      while (count > exactBefore && States.tableSize(searchProblem, count) > TABLE_MAX) {
        count--;
      }
      if (count <= exactBefore) {
        return;
      }
      exactBefore = count;
      int[] exact = worst(violations, count);
      Relaxation relaxation = new Relaxation(searchProblem, upper, exact, prizes);
      boolean isWhole = relaxation.climb(budget, until, step.rounds, step.length);
      bound = Math.max(bound, relaxation.bound());
      if (!isWhole || bound >= upper || search(relaxation, tour, step.statesMax)) {
        return;
      }
      prizes = relaxation.prizes();
      for (int order = 0; order < searchProblem.orders; order++) {
        violations[order] += relaxation.violations()[order];
      }
    }
  }

  /** Searches for a better plan; returns whether the proof is finished. */
  private boolean search(Relaxation relaxation, Tour tour, int statesMax) {
    if (searchProblem.orders > TravelSearch.ORDERS_MAX || statesMax == 0) {
      return false;
    }
    TravelSearch search = new TravelSearch(searchProblem, relaxation, tour.travel, statesMax);
    search.run(budget, until);
    bound = Math.max(bound, search.bound());
    int[] route = search.route();
    if (route != null) {
      System.arraycopy(route, 0, tour.places, 0, route.length);
      tour.travel = searchProblem.travel(route, route.length);
    }
    return bound >= tour.travel || budget.used() >= until;
  }

  /** The orders that the relaxations violated most. */
  private int[] worst(int[] violations, int count) {
    long[] keys = new long[searchProblem.orders];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = (long) -violations[i] << 16 | i;
    }
    Arrays.sort(keys);
    int[] exact = new int[count];
    for (int i = 0; i < count; i++) {
      exact[i] = (int) (keys[i] & 0xffff);
    }
    return exact;
  }
}
