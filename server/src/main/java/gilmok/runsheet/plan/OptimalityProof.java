package gilmok.runsheet.plan;

import java.util.Arrays;

/**
 * Proves a lower bound of the travel, and improves the tour where it can. It solves relaxations
 * with more and more exact orders, each starting from the prizes of the one before. After each
 * relaxation it runs {@link TravelSearch} among the remaining states, until one such search is
 * complete. Not thread-safe.
 */
final class OptimalityProof {
  /** The largest size of a relaxation's table, in numbers: 32 MiB. */
  private static final long TABLE_MAX = 8L << 20;

  /** One relaxation: the number of exact orders, of rounds to climb, and of states to search. */
  private record Step(int exact, int rounds, int statesMax) {}

  private static final Step[] STEPS = {
    new Step(0, 40, 0),
    new Step(3, 8, 20_000),
    new Step(5, 2, 100_000),
    new Step(6, 2, 400_000),
    new Step(7, 2, Integer.MAX_VALUE)
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
    for (Step step : STEPS) {
      int count = Math.min(step.exact, searchProblem.orders);
      if (States.tableSize(searchProblem, count) > TABLE_MAX) {
        return;
      }
      int[] exact = worst(violations, count);
      Relaxation relaxation = new Relaxation(searchProblem, upper, exact, prizes);
      boolean isWhole = relaxation.climb(budget, until, step.rounds);
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
